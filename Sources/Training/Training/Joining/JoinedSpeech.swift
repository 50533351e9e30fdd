import Glibc
import Platform

/// Phrases joined from pieces of other speech by real speakers, as encoder outputs or as bands.
///
/// A piece reaches from the middle of a sound to the middle of a later one: A. Hunt and A. Black, "Unit selection in a
/// concatenative speech synthesis system using a large speech database", 1996. Pieces by different speakers can be joined,
/// because encoder outputs contain hardly anything of the voice, and bands in steps of 3 dB without the mean spectrum little.
struct JoinedSpeech: Sendable {
  private let pieces: SpeechPieces
  /// The steps by which what is joined is behind the speech.
  private let lookAhead: Int

  /// The most steps of a source's own speech and pauses before and after the phrase.
  private static let surroundings = 150
  /// Phrases that are said alone are slower than sentences: the largest factor of their duration.
  private static let slowest: Float = 1.2
  /// The levels of clarity of encoder outputs.
  private static let levels = 3
  /// The fewest steps after the phrase.
  private static let tail = 60

  /// Joins encoder outputs.
  ///
  /// - Parameters:
  ///   - streams: those that have sounds and are not held out are used.
  ///   - lookAhead: the steps by which they are behind the speech.
  init(_ streams: [FeatureStream], lookAhead: Int) {
    pieces = SpeechPieces(streams, levels: Self.levels, clarity: Self.clarity)
    self.lookAhead = lookAhead
  }

  /// Joins bands, without the mean spectrum of their recordings: all of them fit together.
  ///
  /// - Parameter bands: those that have sounds and are not held out are used.
  init(bands: [FeatureStream]) {
    pieces = SpeechPieces(bands)
    lookAhead = 0
  }

  /// Returns the mean log posterior of the sounds of a stream of encoder outputs: how well the encoder recognizes them.
  private static func clarity(of stream: FeatureStream) -> Double {
    let width = stream.features.count / max(1, stream.vectors)
    var sum = 0.0
    var count = 0
    for (step, sound) in stream.sounds.enumerated()
    where sound != Target.unlabelled && sound != Phoneme.silence.rawValue {
      let row = stream.features[step * width..<(step + 1) * width].map { Float($0) }
      sum += Double(row[Int(sound)] - row.logSum)
      count += 1
    }
    return count > 0 ? sum / Double(count) : -.infinity
  }

  /// Returns streams with the phrase, and streams with parts of it or with similar phrases.
  ///
  /// - Parameters:
  ///   - readings: the pronunciations of the phrase, each as the sounds of its words; those with sounds that the speech lacks are not joined.
  ///   - window: the number of vectors of a window of the training.
  func streams(of readings: [[[Phoneme]]], _ settings: TrainingSettings, window: Int) -> [FeatureStream] {
    let count = settings.joinedPositives + settings.joinedNegatives
    let root = RandomSource(seed: settings.seed).stream(7)
    return (0..<count).compactMap { index in
      var random = root.stream(index)
      let isPhrase = index < settings.joinedPositives
      return utterance(of: readings, isPhrase: isPhrase, least: window * 4 / 3 + 8, &random)?.stream
    }
  }

  /// A stream in which the phrase is said, or something else.
  struct Utterance {
    let stream: FeatureStream
    /// The steps of what is said.
    let said: Range<Int>
  }

  /// Returns the phrase, or a part of it or a similar phrase; nil if a sound is nowhere.
  ///
  /// - Parameter least: the fewest steps of the stream.
  func utterance(
    of readings: [[[Phoneme]]], isPhrase: Bool, least: Int, _ random: inout RandomSource
  ) -> Utterance? {
    // Without a sound of the phrase there would be similar phrases alone, as if joined speech were never the phrase.
    let readings = readings.filter { $0.joined().allSatisfy { pieces.contain($0.rawValue) } }
    guard !readings.isEmpty else { return nil }
    let reading = readings[Int(random.next() % UInt64(readings.count))]
    let sounds = Array(reading.joined())
    let wanted =
      isPhrase
      ? Self.phrase(sounds, &random)
      : Self.words(reading, &random) ?? Self.part(sounds, &random) ?? Self.similar(sounds, &random)
    return join(wanted.map(\.rawValue), isPhrase ? .joinedKeyword : .similar, least: least, &random)
  }

  /// Returns a phrase before a pause, or one that is followed by what follows in the source.
  private static func phrase(_ reading: [Phoneme], _ random: inout RandomSource) -> [Phoneme] {
    [.silence] + reading + (random.chance(Augmenter.oneBreathShare) ? [] : [.silence])
  }

  /// Returns the first or the last words of a phrase, which goes on or begins as in the source; nil for some phrases.
  private static func words(_ reading: [[Phoneme]], _ random: inout RandomSource) -> [Phoneme]? {
    guard reading.count > 1, random.chance(0.3) else { return nil }
    let kept = 1 + Int(random.next() % UInt64(reading.count - 1))
    return random.chance(0.4)
      ? [.silence] + reading.prefix(kept).joined() : reading.suffix(kept).joined() + [.silence]
  }

  /// Returns the beginning or the end of a phrase, which goes on or begins as in the source; nil for some phrases.
  private static func part(_ reading: [Phoneme], _ random: inout RandomSource) -> [Phoneme]? {
    guard reading.count >= 4, random.chance(0.4) else { return nil }
    let kept = max(2, Int(Float(reading.count) * random.uniform(0.35...0.7)))
    return random.chance(0.6) ? [.silence] + reading.prefix(kept) : reading.suffix(kept) + [.silence]
  }

  private static func similar(_ reading: [Phoneme], _ random: inout RandomSource) -> [Phoneme] {
    [.silence] + SimilarReading.of(reading, &random) + [.silence]
  }

  /// Returns a stream in which `wanted` is said, with what comes before and after it in the sources of its ends; nil if a
  /// sound is nowhere.
  private func join(
    _ wanted: [UInt8], _ kind: FeatureStream.Kind, least: Int, _ random: inout RandomSource
  ) -> Utterance? {
    let level = Int(random.next() % UInt64(pieces.levels))
    var outputs: [Float16] = []
    var start = 0
    var end: Int?
    var index = 0
    while index < wanted.count - 1 {
      guard let (place, length) = pieces.match(wanted[index...], level: level, &random) else {
        guard let place = pieces.place(of: wanted[index + 1], level: level, &random) else { return nil }
        let sound = pieces.sounds[place]
        outputs += pieces.outputs(sound.stream, sound.steps.lowerBound..<sound.exit)
        index += 1
        continue
      }
      let first = pieces.sounds[place]
      let last = pieces.sounds[place + length]
      var steps = first.entry..<max(first.entry, last.exit)
      if index == 0 {
        steps = max(0, first.steps.upperBound - Self.surroundings)..<steps.upperBound
        start = first.steps.upperBound - steps.lowerBound
      }
      index += length
      if index == wanted.count - 1 {
        let vectors = pieces.streams[last.stream].vectors
        let border = wanted[index] == Phoneme.silence.rawValue ? last.steps.lowerBound : last.steps.upperBound
        steps = steps.lowerBound..<min(vectors, border + Self.surroundings)
        end = outputs.count / pieces.width + border - steps.lowerBound
      }
      outputs += pieces.outputs(first.stream, steps)
    }
    guard outputs.count >= 2 * pieces.width else { return nil }
    let pace = exp(random.uniform(0...log(Self.slowest)))
    func place(_ step: Int) -> Int { Int(Float(step) * pace) }
    let word = place(start)..<max(place(start) + 1, place(end ?? outputs.count / pieces.width))
    return surrounded(slower(outputs, by: pace), word: word, kind, least: least, level: level, &random)
  }

  private func slower(_ outputs: [Float16], by pace: Float) -> [Float16] {
    let steps = outputs.count / pieces.width
    let count = Int(Float(steps - 1) * pace)
    let values = [Float](unsafeUninitializedCapacity: count * pieces.width) { buffer, initialized in
      TimeStretch.stretch(
        outputs, width: pieces.width, from: 0, span: steps - 1, pace: pace, frames: count,
        into: buffer.baseAddress!)
      initialized = count * pieces.width
    }
    return values.map { Float16($0) }
  }

  /// Returns a stream that is long enough, with other speech at its ends where that is needed.
  private func surrounded(
    _ outputs: [Float16], word: Range<Int>, _ kind: FeatureStream.Kind, least: Int, level: Int,
    _ random: inout RandomSource
  ) -> Utterance? {
    var outputs = outputs
    if outputs.count / pieces.width - word.upperBound < Self.tail {
      outputs += other(Self.tail, level: level, &random)
    }
    let missing = least - outputs.count / pieces.width
    let lead = missing > 0 ? other(missing, level: level, &random) : []
    let vectors = (lead.count + outputs.count) / pieces.width
    guard vectors >= least else { return nil }
    let place = lead.count / pieces.width + word.lowerBound - lookAhead
    let said = max(0, place)..<max(1, place + word.count)
    return Utterance(
      stream: FeatureStream(
        kind: kind, features: lead + outputs, vectors: vectors, word: kind.isPhrase ? said : nil),
      said: said)
  }

  /// Returns `steps` steps of speech that begin with a pause, fewer if a stream is shorter.
  private func other(_ steps: Int, level: Int, _ random: inout RandomSource) -> ArraySlice<Float16> {
    let silence = Phoneme.silence.rawValue
    guard let place = pieces.place(of: silence, level: level, &random) else { return [] }
    let sound = pieces.sounds[place]
    let vectors = pieces.streams[sound.stream].vectors
    let first = max(0, min(sound.steps.lowerBound, vectors - steps))
    return pieces.outputs(sound.stream, first..<min(vectors, first + steps))
  }
}

extension FeatureStream {
  /// Returns whether the stream is known to say `reading`.
  func says(_ reading: [Phoneme]) -> Bool { !places(of: reading, in: said(withPauses: false)).isEmpty }

  /// Returns how often the stream is known to say `reading` within other speech: not alone, between two pauses.
  func countWithinSpeech(_ reading: [Phoneme]) -> Int {
    let said = said(withPauses: true)
    return places(of: reading, in: said).count { place in
      let neighbours = [place.lowerBound - 1, place.upperBound].filter { said.indices.contains($0) }
      return neighbours.contains { said[$0] != Phoneme.silence.rawValue }
    }
  }

  /// The fewest steps of silence, or without a label, that are a pause between words: 0.1 s.
  private static let pause = 5

  /// Returns the sounds in order, each once; silence only where there is a pause, if at all.
  private func said(withPauses: Bool) -> [UInt8] {
    let silence = Phoneme.silence.rawValue
    var said: [UInt8] = []
    var quiet = 0
    for sound in sounds {
      let isQuiet = sound == silence || withPauses && sound == Target.unlabelled
      quiet = isQuiet ? quiet + 1 : 0
      if isQuiet {
        if withPauses, quiet == Self.pause, said.last != silence { said.append(silence) }
      } else if sound != said.last {
        said.append(sound)
      }
    }
    return said
  }

  private func places(of reading: [Phoneme], in said: [UInt8]) -> [Range<Int>] {
    var wanted: [UInt8] = []
    for sound in reading.map(\.rawValue) where sound != wanted.last && sound != Phoneme.silence.rawValue {
      wanted.append(sound)
    }
    guard !wanted.isEmpty else { return [] }
    return said.indices.dropLast(wanted.count - 1).filter { said[$0...].starts(with: wanted) }
      .map { $0..<$0 + wanted.count }
  }
}
