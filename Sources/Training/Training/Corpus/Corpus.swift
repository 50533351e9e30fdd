import AudioCapture
import Corpora
import Detection
import Evaluation
import PCM
import Platform

/// All data of a training: recordings, synthetic speech and noise.
package struct Corpus: Sendable {
  /// One utterance of the phrase: a recording or synthetic speech.
  package struct Utterance: Sendable {
    /// The recording's path, or the synthetic voice.
    package let name: String
    package let group: String
    package let samples: [Int16]
    package let word: Range<Int>
  }

  package var words: [String]
  /// The pronunciations of the phrase, each as its sounds.
  package var readings: [[Phoneme]] = []
  /// These and those of other accents.
  package var allReadings: [[Phoneme]] { wordReadings.map { Array($0.joined()) } }
  /// The same, each as the sounds of its words.
  package var wordReadings: [[[Phoneme]]] = []
  /// Whether the pronunciation of a word is only guessed.
  package var hasGuessedWords = false
  /// Whether the phrase was also joined from pieces of other speech.
  package var hasJoinedSpeech = false
  /// Whether the phrase is English.
  package var isEnglish = false
  package var positives: [Utterance] = []
  package var heldOutPositives: [Utterance] = []
  package var syntheticPositives: [Utterance] = []
  package var heldOutSynthetic: [Utterance] = []
  package var syntheticNegatives: [[Int16]] = []
  /// Similar phrases by voices that are not trained, to measure how often they wake the model.
  package var similar: [SimilarSpeech.Utterance] = []
  /// The paths of other recordings, in the order of use.
  package var negatives: [String] = []
  package var heldOutNegatives: [String] = []
  /// The paths of other words by the held-out speakers. The evaluation model must not be trained on these
  /// voices as ones that never say the phrase.
  package var measuredSpeakers: [String] = []
  package var noise: [[Float]] = []
  package var heldOutNoise: [[Float]] = []
  /// Other speech, for babble and for neighbours of the phrase.
  package var speech: [[Float]] = []
  /// The excluded files with the reasons.
  package var leftOut: [String] = []
  /// Clips that a model detected falsely in use, and clips that it missed.
  package var falseAlarms: [FieldClip] = []
  package var missed: [FieldClip] = []
  package var groups = 0
  package var heldOutGroups = 0
  /// The recordings of the phrase, and their groups, that train the model: also those held out from its evaluation model.
  package var allRecordings: Int { positives.count + heldOutPositives.count }
  package var allGroups: Int { groups + heldOutGroups }

  /// - Throws: ``TrainingFault``, `SystemFault`.
  package init(
    _ settings: TrainingSettings, encoder: PhonemeEncoder, progress: (TrainingProgress) -> Void
  ) throws {
    let synthesizer = try Synthesizer()
    let script = try settings.script(dictionary: Pronunciations(), synthesizer)
    words = script.words
    readings = script.usualReadings.map { Array($0.joined()) }
    isEnglish = script.language.isAnyEnglish
    wordReadings = script.readings
    hasGuessedWords = !script.unknownWords.isEmpty
    let spoken = try readPositives(settings, ClipCheck(encoder, readings: script.readings), progress)
    try findNegatives(settings, except: spoken)
    try readNoise(settings)
    if settings.synthesis {
      try synthesize(script, synthesizer, settings, progress)
      synthesizeSimilar(script, synthesizer, settings)
    }
    guard !positives.isEmpty || !syntheticPositives.isEmpty else { throw TrainingFault.noPositives }
    gatherSpeech()
  }

  /// Creates a corpus of the phrase alone, spoken by one person.
  init(phrase utterances: [Utterance]) {
    words = []
    positives = utterances
    groups = 1
  }

  /// Creates a corpus without a phrase, for the background that all phrases are trained against.
  package init(background settings: TrainingSettings) throws {
    words = []
    try findNegatives(settings, except: [])
    negatives = Self.interleaved(negatives)
    heldOutNegatives = Self.interleaved(heldOutNegatives)
    try readNoise(settings)
    gatherSpeech()
  }

  /// Returns `paths` with the folders interleaved, so that a prefix of any length contains as many voices as
  /// possible.
  private static func interleaved(_ paths: [String]) -> [String] {
    let folders = Dictionary(grouping: paths, by: AudioFolder.folder).sorted { $0.key < $1.key }.map(\.value)
    return (0..<(folders.map(\.count).max() ?? 0)).flatMap { index in
      folders.compactMap { index < $0.count ? $0[index] : nil }
    }
  }

  /// Returns the resolved paths of all recordings of the phrase, also of those that are left out.
  private mutating func readPositives(
    _ settings: TrainingSettings, _ check: ClipCheck, _ progress: (TrainingProgress) -> Void
  ) throws -> Set<String> {
    var clips: [AudioFolder.Clip] = []
    var paths: Set<String> = []
    for folder in settings.positives {
      let found = try AudioFolder(folder, use: "the phrase", as: .phrase(settings.phrase))
      clips += found.clips.filter { paths.insert(Files.resolved($0.path)).inserted }
      leftOut += found.leftOut
    }
    guard !clips.isEmpty else { return [] }
    // `ann/1.wav` and `bob/1.wav` are two groups.
    let names = Dictionary(grouping: clips.filter(\.isAlone), by: \.group).mapValues(\.count)
    clips = clips.map { clip in
      guard clip.isAlone, names[clip.group, default: 0] > 1 else { return clip }
      var clip = clip
      clip.group = clip.path
      return clip
    }
    progress(TrainingProgress(activity: "reading recordings of the phrase", part: 0))
    let found = clips
    let read = Parallel.map(clips.count, threads: settings.threads) {
      index -> Result<ClipCheck.Clip, ClipFlaw> in
      do {
        return .success(try check.clip(try AudioFile.read(found[index].path)))
      } catch let flaw as WordBoundary.Flaw {
        return .failure(ClipFlaw(text: "\(found[index].path): \(flaw.rawValue)"))
      } catch {
        return .failure(ClipFlaw(text: "\(error)"))
      }
    }
    let choice = ClipCheck.choose(read.map { try? $0.get() })
    var utterances: [Utterance] = []
    var assignments: [Bool?] = []
    var kept: [(index: Int, clip: ClipCheck.Clip)] = []
    for (index, result) in read.enumerated() {
      switch result {
      case .failure(let flaw): leftOut.append(flaw.text)
      case .success(let clip):
        if let flaw = choice.flaws[index] {
          leftOut.append("\(found[index].path): \(flaw.rawValue)")
        } else {
          kept.append((index, clip))
        }
      }
    }
    for (place, clip) in zip(kept, ClipCheck.trimmed(kept.map(\.clip))) {
      let source = found[place.index]
      utterances.append(
        Utterance(name: source.path, group: source.group, samples: clip.samples, word: clip.word))
      assignments.append(source.isHeldOut)
    }
    if let note = choice.note { leftOut.append(note) }
    guard !utterances.isEmpty else {
      throw TrainingFault.nothingReadable(folder: settings.positives[0], use: "the phrase")
    }
    let held = Split.heldOut(
      utterances.map(\.group), assignments: assignments, share: settings.heldOutPositives, salt: "positives")
    for (index, utterance) in utterances.enumerated() {
      if held.contains(index) { heldOutPositives.append(utterance) } else { positives.append(utterance) }
    }
    groups = Set(positives.map(\.group)).count
    heldOutGroups = Set(heldOutPositives.map(\.group)).count
    return paths
  }

  private mutating func findNegatives(_ settings: TrainingSettings, except spoken: Set<String>) throws {
    var clips: [AudioFolder.Clip] = []
    var named = 0
    for folder in settings.negatives {
      let found = try AudioFolder(folder, use: "other sound", as: .others(than: settings.phrase))
      leftOut += found.leftOut
      for clip in found.clips {
        let below = clip.path.dropFirst(found.path.count)
        let last = found.path.split(separator: "/").last ?? ""
        let isNamed = !clip.isTranscribed && Split.containsPhrase(words, in: "\(last)\(below)"[...])
        if isNamed || spoken.contains(Files.resolved(clip.path)) {
          named += 1
        } else {
          clips.append(clip)
        }
      }
    }
    if named > 0 { leftOut.append("\(named) negatives: recordings of the phrase, or with it in their paths") }
    let order = clips.sorted { (stableHash($0.path), $0.path) < (stableHash($1.path), $1.path) }
    let measured = Set(heldOutPositives.map(\.group))
    for clip in order {
      if !clip.isAlone, measured.contains(clip.group) {
        measuredSpeakers.append(clip.path)
      } else if clip.isHeldOut ?? Split.isHeldOut(clip.group, share: settings.heldOutNegatives) {
        heldOutNegatives.append(clip.path)
      } else {
        negatives.append(clip.path)
      }
    }
    if negatives.isEmpty { swap(&negatives, &heldOutNegatives) }
  }

  private mutating func readNoise(_ settings: TrainingSettings) throws {
    // The noise of a corpus is used with it.
    let corpora = try Set(settings.positives + settings.negatives).subtracting(settings.noise).sorted()
      .filter { try CorpusFolder($0)?.noise.isEmpty == false }
    let found = try NoiseRecordings(settings.noise + corpora, threads: settings.threads)
    noise = found.training
    heldOutNoise = found.heldOut
    leftOut += found.leftOut
  }

  /// Some minutes of speech of others, from the negatives that train.
  private mutating func gatherSpeech() {
    var left = AudioFormat.samples(7 * 60)
    for path in negatives where left > 0 {
      guard let samples = try? FileSource(path).samples(AudioFormat.samples(15)),
        samples.count > AudioFormat.samples(1)
      else { continue }
      left -= samples.count
      speech.append(Level.floats(samples))
    }
    for samples in syntheticNegatives where left > 0 && samples.count > AudioFormat.samples(1) {
      left -= 4 * samples.count
      speech.append(Level.floats(samples))
    }
  }
}

struct ClipFlaw: Error {
  let text: String
}

extension FileSource {
  /// Returns the next `most` samples, fewer only at the end, so that a long file need not be decoded whole.
  package func samples(_ most: Int) throws(CaptureFault) -> [Int16] {
    let buffer = UnsafeMutableBufferPointer<Int16>.allocate(capacity: max(most, 1))
    defer { buffer.deallocate() }
    var count = 0
    while count < most {
      let read = try read(into: UnsafeMutableBufferPointer(rebasing: buffer[count..<most]))
      count += read.count
      if read.isEnd || read.count == 0 { break }
    }
    return Array(buffer[..<count])
  }
}
