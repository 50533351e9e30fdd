import AudioCapture
import Evaluation
import PCM
import Platform
import Speakers

/// Voice prints of words that many people said several times each, clean and with noise.
package struct VoiceCorpus: Sendable {
  /// One clip.
  package struct Item: Sendable {
    /// The word and its speaker. Clips with the same word and speaker are of one voice.
    package let word: String
    package let speaker: String
    package let quiet: VoicePrint
    package let noisy: VoicePrint
  }

  package let items: [Item]

  /// The range of signal-to-noise ratios in decibels.
  private static let ratios: ClosedRange<Float> = 5...20
  /// The maximum number of clips per speaker and word.
  private static let clipLimit = 5
  /// The silence before and after a word, in samples.
  private static let lead = AudioFormat.samples(0.5)
  private static let tail = AudioFormat.samples(0.1)

  /// Reads the clips `WORD/SPEAKER_…` in `words`, of speakers with two or more clips, and the noise in
  /// `noise`.
  package init(words: String, noise: String, seed: UInt64, threads: Int) throws {
    var groups: [String: [String]] = [:]
    for path in try Files.list(below: words) { groups[Self.group(of: path), default: []].append(path) }
    let paths = groups.keys.sorted().flatMap { key in
      groups[key]!.count > 1 ? Array(groups[key]!.prefix(Self.clipLimit)) : []
    }
    let noises = try Self.noises(below: noise, threads: threads)
    guard !noises.isEmpty else { throw TrainingFault.nothingReadable(folder: noise, use: "noise") }
    let random = RandomSource(seed: seed)
    items = Parallel.map(paths.count, threads: threads) { index -> Item? in
      guard let samples = try? AudioFile.read(paths[index]) else { return nil }
      var random = random.stream(index)
      let parts = paths[index].split(separator: "/")
      let speaker = parts.last!.prefix { $0 != "_" }
      return Self.item(
        Level.floats(samples), noises[Int(random.next() % UInt64(noises.count))],
        word: String(parts[parts.count - 2]),
        speaker: String(speaker), &random)
    }.compactMap { $0 }
    guard items.count > 100 else { throw TrainingFault.nothingReadable(folder: words, use: "words") }
  }

  private static func group(of path: String) -> String {
    path.split(separator: "_").dropLast().joined(separator: "_")
  }

  static func noises(below folder: String, threads: Int) throws -> [[Float]] {
    let paths = try Files.list(below: folder)
    return Parallel.map(paths.count, threads: threads) { index -> [Float]? in
      guard let samples = try? AudioFile.read(paths[index]), samples.count > AudioFormat.sampleRate else {
        return nil
      }
      return Level.floats(Array(samples.prefix(20 * AudioFormat.sampleRate)))
    }.compactMap { $0 }.filter { Level.rms($0[...]) > 1e-3 }
  }

  private static func item(
    _ word: [Float], _ noise: [Float], word name: String, speaker: String, _ random: inout RandomSource
  ) -> Item? {
    let samples =
      [Float](repeating: 0, count: lead) + word + [Float](repeating: 0, count: tail)
    let start = Int(random.next() % UInt64(noise.count))
    let background = samples.indices.map { noise[(start + $0) % noise.count] }
    let mixed = Level.mix(samples, background, ratio: random.uniform(ratios))
    let range = lead..<lead + word.count
    guard let quiet = VoicePrint(Level.integers(samples), word: range),
      let noisy = VoicePrint(Level.integers(mixed), word: range)
    else { return nil }
    return Item(word: name, speaker: speaker, quiet: quiet, noisy: noisy)
  }
}
