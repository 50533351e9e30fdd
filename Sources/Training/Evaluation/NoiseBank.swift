import AudioCapture
import PCM
import Platform

/// Recordings of noise to mix into other recordings, chosen by a seed.
package struct NoiseBank: Sendable {
  private struct Sound: Sendable {
    let samples: [Int16]
    /// The RMS level of its loud part; full scale is 1.
    let level: Float
  }

  private let sounds: [Sound]

  /// The maximum number of recordings, and the maximum seconds of each.
  private static let limit = 120
  private static let seconds = 30.0

  /// Reads up to 120 files, chosen by `seed`.
  ///
  /// - Throws: ``EvaluationFault/nothingReadable(_:)`` if no file contains sound.
  package init(_ tree: AudioTree, seed: UInt64, threads: Int) throws {
    var random = RandomSource(seed: seed)
    let paths = Array(tree.files.map(\.path).shuffled(using: &random).prefix(Self.limit))
    sounds = Parallel.map(paths.count, threads: threads) { index -> Sound? in
      guard let samples = try? Self.start(of: paths[index]) else { return nil }
      let level = Level.active(Level.floats(samples))
      return level > 1e-4 ? Sound(samples: samples, level: level) : nil
    }.compactMap(\.self)
    guard !sounds.isEmpty else { throw EvaluationFault.nothingReadable(tree.folders[0]) }
  }

  /// Returns `count` samples of one recording from a random position, repeated from its start as needed.
  ///
  /// A pause is not usable as noise: of several positions, returns the first whose level is within 12 dB of
  /// the recording's loud part, or else the loudest.
  package func stretch(_ count: Int, _ random: inout RandomSource) -> [Float] {
    let sound = sounds[Int(random.next() % UInt64(sounds.count))]
    var best: [Float] = []
    var loudest: Float = -1
    for _ in 0..<12 {
      let start = Int(random.next() % UInt64(sound.samples.count))
      let part = (0..<count).map { Float(sound.samples[(start + $0) % sound.samples.count]) / 32_768 }
      let level = Level.rms(part[...])
      if level > loudest { (best, loudest) = (part, level) }
      if level >= sound.level / 4 { break }
    }
    return best
  }

  private static func start(of path: String) throws(CaptureFault) -> [Int16] {
    let source = try FileSource(path)
    var samples: [Int16] = []
    let block = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 16_384)
    defer { block.deallocate() }
    while samples.count < AudioFormat.samples(seconds) {
      let step = try source.read(into: block)
      samples += block[..<step.count]
      if step.isEnd { break }
    }
    return samples
  }
}
