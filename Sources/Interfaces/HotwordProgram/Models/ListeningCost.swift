import Detection
import Glibc
import PCM
import Platform

/// The processor time of a model on this machine.
enum ListeningCost {
  private static let seconds = 10

  /// Milliseconds of processor time per second of audio for the front end, features and networks, measured on noise.
  static func milliseconds(of model: HotwordModel) throws(DetectionFault) -> Double {
    let spotter = try KeywordSpotter([(model, .standard)], skipsSilence: false)
    var random = RandomSource(seed: 1)
    let noise = (0..<AudioFormat.sampleRate).map { _ in Int16(random.uniform(-1_000...1_000)) }
    return noise.withUnsafeBufferPointer { noise in
      func listen() {
        for start in stride(from: 0, to: noise.count, by: AudioFormat.frameLength) {
          _ = spotter.push(UnsafeBufferPointer(rebasing: noise[start..<start + AudioFormat.frameLength]))
        }
      }
      listen()
      let begin = MonotonicClock.threadTime()
      for _ in 0..<seconds { listen() }
      return (MonotonicClock.threadTime() - begin) * 1_000 / Double(seconds)
    }
  }
}
