import Assistant
import AudioCapture
import FrontEnd
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// The folder of shared recordings, where there is one.
private let sharedAudio: String? = {
  let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let path = getenv("HOTWORD_AUDIO").map { String(cString: $0) } ?? "\(root)/../shared/audio"
  return Files.isDirectory(path) ? path : nil
}()

/// Spoken orders in noise: `Fixtures/order-ends.tsv` holds where the last word of each ends, in seconds, as PocketSphinx
/// aligned the clean recording with the order's grammar (only recordings whose text came out right).
@Suite(
  .limited, .needsOptimization, .enabled(if: sharedAudio != nil, "no shared recordings; set HOTWORD_AUDIO"))
struct EndOfSpeechRecordingTests {
  private struct Outcome {
    /// Seconds by which the found end of speech is late; negative where it is early.
    var errors: [Double] = []

    var median: Double { errors.sorted()[errors.count / 2] }

    /// The percentage of ends that are at most `seconds` early or late.
    func percentage(within seconds: Double) -> Double {
      100 * Double(errors.count { abs($0) <= seconds }) / Double(errors.count)
    }
  }

  private func orders() throws -> [(samples: [Int16], end: Double)] {
    let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let lines = String(decoding: try Files.read("\(folder)/Fixtures/order-ends.tsv"), as: UTF8.self)
      .split(separator: "\n")
    return try lines.map { line in
      let fields = line.split(separator: "\t")
      return (try AudioFile.read("\(sharedAudio!)/commands/coffee/\(fields[0])"), Double(fields[1])!)
    }
  }

  private func noises() throws -> [[Int16]] {
    let paths = try Files.list(below: "\(sharedAudio!)/noise/moodist")
    return try stride(from: 0, to: paths.count, by: 8).map { try AudioFile.read(paths[$0]) }
  }

  /// A room with noise for 2 s, the order in it, and the room for 4 s more; the order's speech is `snr` dB over the noise.
  private func scene(
    _ order: [Int16], _ noise: [Int16], snr: Double, _ random: inout RandomSource
  ) -> (samples: [Int16], start: Int) {
    let start = 32_000
    let count = (start + order.count + 64_000) / 160 * 160
    let offset = Int(random.next() % UInt64(max(1, noise.count - count)))
    let bed = (0..<count).map { Double(noise[(offset + $0) % noise.count]) }
    let loud = order.map { Double($0) }.map { $0 * $0 }.sorted().suffix(order.count / 2)
    let speechPower = loud.reduce(0, +) / Double(loud.count)
    let noisePower = bed.reduce(0) { $0 + $1 * $1 } / Double(count) + 1e-9
    let gain = (speechPower / noisePower / pow(10, snr / 10)).squareRoot()
    let samples = (0..<count).map { index in
      let speech = index >= start && index < start + order.count ? Double(order[index - start]) : 0
      return Int16(max(-32_768, min(32_767, speech + gain * bed[index])))
    }
    return (samples, start)
  }

  /// When the utterance ended, in seconds from its start; nil when it did not.
  private func end(of scene: (samples: [Int16], start: Int)) throws -> Double? {
    let frontEnd = try FrontEnd(.standard)
    var detector = EndOfSpeech()
    var samples = scene.samples
    for position in stride(from: 0, to: samples.count, by: 160) {
      if position == scene.start { detector.begin() }
      let activity = samples.withUnsafeMutableBufferPointer {
        frontEnd.process(UnsafeMutableBufferPointer(rebasing: $0[position..<position + 160]))
      }
      if case .ended = detector.push(voiced: activity.voiced, level: activity.level) {
        return AudioFormat.seconds(position + 160 - scene.start)
      }
    }
    return nil
  }

  /// Where the speech of a clean recording ends for a detector that waits for `silence` seconds: at the first pause of that length,
  /// or at the end of the last word.
  private func end(ofClean samples: [Int16], lastWord: Double, silence: Double) -> Double {
    let levels = stride(from: 0, to: samples.count - 159, by: 160).map { start in
      let power = samples[start..<start + 160].reduce(0.0) { $0 + Double($1) * Double($1) } / 160
      return 10 * log10(power + 1)
    }
    let loud = levels.sorted()[levels.count * 9 / 10]
    var last: Int?
    for (index, level) in levels.enumerated() where level > loud - 30 {
      if let last, AudioFormat.seconds((index - last) * 160) > silence { break }
      last = index
    }
    return min(lastWord, AudioFormat.seconds(((last ?? 0) + 1) * 160))
  }

  private func measure(snr: Double) throws -> Outcome {
    var random = RandomSource(seed: 11)
    let noises = try noises()
    let silence = EndOfSpeechSettings().silence
    var outcome = Outcome()
    for (index, order) in try orders().enumerated() {
      let scene = scene(order.samples, noises[index % noises.count], snr: snr, &random)
      let expected = end(ofClean: order.samples, lastWord: order.end, silence: silence)
      let found = try end(of: scene) ?? .infinity
      outcome.errors.append(found - silence - expected)
    }
    print(
      "end of speech at \(snr) dB: \(outcome.errors.count) orders, median error \(outcome.median) s,",
      "\(outcome.percentage(within: 0.3)) % within 0.3 s, \(outcome.percentage(within: 1)) % within 1 s")
    return outcome
  }

  /// Noise hides the ends of words and fills pauses: the louder it is, the more ends are late.
  @Test(arguments: [(60.0, 93.0), (20, 78), (10, 60), (5, 45)])
  func theEndIsFound(snr: Double, percentage: Double) throws {
    let outcome = try measure(snr: snr)
    #expect(abs(outcome.median) <= 0.2)
    #expect(outcome.percentage(within: 0.3) >= percentage)
  }
}
