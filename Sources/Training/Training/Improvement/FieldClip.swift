import AudioCapture
import Clips
import Detection
import Evaluation
import PCM
import Platform

/// A clip from a model's use: a false alarm or a missed phrase.
package struct FieldClip: Sendable {
  package let name: String
  /// All of it, as a detector hears it.
  package let samples: [Int16]
  /// The part that is trained: up to two seconds before the end of the word, and one after it.
  package let trained: [Int16]
  /// The samples of the phrase, or of the false alarm, in ``trained``.
  package let word: Range<Int>
  /// Without which evaluation model it is trained.
  package let heldOut: HeldOut

  /// The phrase in the clip; its speaker is unknown.
  package var utterance: Corpus.Utterance {
    Corpus.Utterance(name: name, group: "the field", samples: trained, word: word)
  }
}

/// The clips of folders as `hotword review` stores them, in the order of time.
///
/// Each of up to four evaluation models is trained without a part of them, so that every clip is measured by a model that did
/// not learn it. Clips of one session are similar, so the parts are split at long pauses.
package struct FieldClips: Sendable {
  package enum Use: String, Sendable {
    case falseAlarms = "a false alarm"
    case missed = "a missed phrase"
  }

  package private(set) var clips: [FieldClip] = []
  /// The excluded clips with the reasons.
  package private(set) var leftOut: [String] = []

  /// The maximum length of a clip in seconds; of a longer false alarm, only the part with the highest score
  /// is used.
  package static let longest = 10.0
  package static let mostFolds = 4

  /// - Parameters:
  ///   - folders: folders of clips, or folders of `hotword review`, of which the model's own clips with the label are used.
  ///   - model: the model that triggered, or did not.
  /// - Throws: `CorpusFault`, ``TrainingFault/nothingReadable(folder:use:)``, `SystemFault`.
  package init(_ folders: [String], _ use: Use, of model: HotwordModel, threads: Int) throws {
    guard let first = folders.first else { return }
    var found: [(path: String, clip: Clip?)] = []
    for folder in folders {
      guard let folder = Self.folder(folder, use, of: model.name) else {
        leftOut.append("\(folder): no clip is labelled \(use.rawValue)")
        continue
      }
      found += try AudioFolder(folder, use: use.rawValue).clips.map { ($0.path, Self.clip(at: $0.path)) }
    }
    if found.isEmpty { return }
    found.sort { one, other in
      switch (one.clip, other.clip) {
      case (let a?, let b?): (a.time, one.path) < (b.time, other.path)
      case (.some, nil): true
      case (nil, .some): false
      case (nil, nil): one.path < other.path
      }
    }
    let files = found
    let read = Parallel.map(files.count, threads: threads) { index in
      Self.read(files[index].path, isKept: files[index].clip != nil, use, model)
    }
    var usable: [(path: String, time: ClipTime?, samples: [Int16], word: Range<Int>)] = []
    for (file, result) in zip(files, read) {
      switch result {
      case .success(let part): usable.append((file.path, file.clip?.time, part.samples, part.word))
      case .failure(let flaw): leftOut.append(flaw.text)
      }
    }
    guard !usable.isEmpty else {
      throw TrainingFault.nothingReadable(folder: first, use: use.rawValue)
    }
    let folds = Self.folds(usable.map(\.time))
    clips = zip(usable, folds).map { clip, fold in
      let first = max(0, clip.word.upperBound - Self.before)
      let last = min(clip.samples.count, clip.word.upperBound + ClipCutter.after)
      return FieldClip(
        name: clip.path, samples: clip.samples, trained: Array(clip.samples[first..<last]),
        word: max(0, clip.word.lowerBound - first)..<clip.word.upperBound - first,
        heldOut: folds.last == 0 ? .no : .from(fold))
    }
  }

  private static let before = 2 * AudioFormat.sampleRate

  /// Returns the part of each clip, 0…3, in the order of time: parts of nearly the same size, split at the longest pauses.
  package static func folds(_ times: [ClipTime?]) -> [Int] {
    let count = times.count
    let parts = min(mostFolds, count)
    func pause(before index: Int) -> Int {
      guard let last = times[index - 1], let next = times[index] else { return 0 }
      return next.milliseconds - last.milliseconds
    }
    var starts: [Int] = []
    for part in 1..<max(1, parts) {
      let usual = part * count / parts
      let slack = count / (2 * parts + 1)
      let range = max((starts.last ?? 0) + 1, usual - slack)...max((starts.last ?? 0) + 1, usual + slack)
      starts.append(
        range.max { one, other in
          (pause(before: one), -abs(one - usual), one) < (pause(before: other), -abs(other - usual), other)
        }!)
    }
    return times.indices.map { index in starts.count { $0 <= index } }
  }

  /// The folder of the clips for `use` in a folder of `hotword review`, nil if it has none; other folders as they are.
  private static func folder(_ path: String, _ use: Use, of name: String) -> String? {
    let label: Label = use == .missed ? .missed : .falseAlarm
    let labelled = ["\(path)/\(name)/\(label.folder)", "\(path)/\(label.folder)"]
    if let found = labelled.first(where: { !names(in: $0).isEmpty }) { return found }
    return isReviewed(path) ? nil : path
  }

  /// Whether a folder is one of `hotword review`: with labelled clips of some hotword.
  static func isReviewed(_ path: String) -> Bool {
    let folders = Set(Label.allCases.map(\.folder))
    let names = names(in: path)
    return names.contains(where: folders.contains)
      || names.contains { Self.names(in: "\(path)/\($0)").contains(where: folders.contains) }
  }

  private static func names(in folder: String) -> [String] { (try? Files.names(in: folder)) ?? [] }

  private static func clip(at path: String) -> Clip? {
    path.split(separator: "/").last.flatMap { Clip(fileName: String($0)) }
  }

  private struct Part: Sendable {
    let samples: [Int16]
    let word: Range<Int>
  }

  private static func read(
    _ path: String, isKept: Bool, _ use: Use, _ model: HotwordModel
  ) -> Result<Part, ClipFlaw> {
    do {
      var samples = try AudioFile.read(path)
      if samples.count > AudioFormat.samples(longest) {
        guard use == .falseAlarms, let end = Evaluator.highest(samples, model)?.end else {
          return .failure(
            ClipFlaw(text: "\(path): longer than \(Int(longest)) s; cut the clip to the phrase"))
        }
        samples = Array(samples[max(0, end - ClipCutter.before)..<min(samples.count, end + ClipCutter.after)])
      }
      let region = try wordRegion(samples)
      if isKept, samples.count >= before + ClipCutter.after {
        let end = samples.count - ClipCutter.after
        return .success(Part(samples: samples, word: word(endingAt: end, model, samples)))
      }
      if use == .missed {
        guard let region else { throw WordBoundary.Flaw.noWord }
        return .success(Part(samples: samples, word: region))
      }
      let end = Evaluator.highest(samples, model)?.end ?? samples.count
      return .success(Part(samples: samples, word: word(endingAt: end, model, samples)))
    } catch let flaw as WordBoundary.Flaw {
      return .failure(ClipFlaw(text: "\(path): \(flaw.rawValue)"))
    } catch {
      return .failure(ClipFlaw(text: "\(error)"))
    }
  }

  /// Returns the word in the clip; nil if there is none, as in a false alarm of music.
  private static func wordRegion(_ samples: [Int16]) throws(WordBoundary.Flaw) -> Range<Int>? {
    do {
      return try WordBoundary.find(samples)
    } catch {
      if error == .noWord { return nil }
      throw error
    }
  }

  private static func word(endingAt end: Int, _ model: HotwordModel, _ samples: [Int16]) -> Range<Int> {
    let length = AudioFormat.samples(max(0.2, model.decision.wordDuration))
    let end = min(samples.count, max(end, AudioFormat.samples(0.2)))
    return max(0, end - length)..<end
  }
}
