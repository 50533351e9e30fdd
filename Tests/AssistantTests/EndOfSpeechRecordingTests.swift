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
@Suite(.limited, .enabled(if: sharedAudio != nil, "no shared recordings; set HOTWORD_AUDIO"))
struct EndOfSpeechRecordingTests {
  private struct Outcome {
    var errors: [Double] = []
    var cuts = 0
    var count = 0

    func percentile(_ share: Double) -> Double {
      errors.isEmpty ? .infinity : errors.sorted()[Int(Double(errors.count - 1) * share)]
    }
  }

  private func orders(every step: Int) throws -> [(samples: [Int16], end: Double)] {
    let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let lines = String(decoding: try Files.read("\(folder)/Fixtures/order-ends.tsv"), as: UTF8.self)
      .split(separator: "\n")
    return try stride(from: 0, to: lines.count, by: step).map { index in
      let fields = lines[index].split(separator: "\t")
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

  private func measure(snr: Double, every step: Int) throws -> Outcome {
    var random = RandomSource(seed: 11)
    let noises = try noises()
    var outcome = Outcome()
    for (index, order) in try orders(every: step).enumerated() {
      let scene = scene(order.samples, noises[index % noises.count], snr: snr, &random)
      outcome.count += 1
      let found = try end(of: scene) ?? 12
      if found < order.end { outcome.cuts += 1 }
      outcome.errors.append(abs(found - 0.8 - order.end))
    }
    let cuts = 100 * Double(outcome.cuts) / Double(outcome.count)
    print(
      "end of speech at \(snr) dB: \(outcome.count) orders, median error \(outcome.percentile(0.5)) s,",
      "90th percentile \(outcome.percentile(0.9)) s, cut before the end \(cuts) %")
    return outcome
  }

  /// Bounds that guard what is reached (printed above); orders with long pauses are cut off.
  @Test(arguments: [(20.0, 0.7, 4.0, 20), (10.0, 0.8, 5.0, 25), (5.0, 1.2, 7.0, 35)])
  func theEndIsFound(snr: Double, median: Double, ninetieth: Double, cuts: Int) throws {
    let outcome = try measure(snr: snr, every: 2)
    #expect(outcome.percentile(0.5) <= median)
    #expect(outcome.percentile(0.9) <= ninetieth)
    #expect(outcome.cuts * 100 <= outcome.count * cuts)
  }
}
