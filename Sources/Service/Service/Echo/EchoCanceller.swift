import FrontEnd
import PCM
import Platform
import SpeechSynthesis

/// Keeps the assistant's own voice from being heard as somebody's: takes the loudspeaker's sound out of the
/// microphone's, and knows the hotwords in it.
///
/// Only for live audio, whose samples have a time on the clock. One thread at a time may use it.
package final class EchoCanceller {
  /// Seconds by which the reference runs ahead, as the canceller looks for echo only behind it.
  static let lead = 0.04
  /// Seconds around a hotword of its own in which the same one is not heeded.
  private static let tolerance = 0.4
  /// Seconds by which the stream's clock may run slow in a frame of 10 ms: a crystal is off by less.
  private static let drift = 1e-6

  private let playback: PlaybackReference
  private let canceller: FrontEnd
  /// Seconds from the loudspeaker to the microphone beyond what ALSA tells.
  private let delay: Double
  private let reference = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  /// The time on the clock of the stream's sample 0: the earliest that any frame came.
  private var origin = Double.infinity

  /// - Parameter delay: milliseconds from the reference to its echo, as the canceller is told, 0…500.
  package init(_ playback: PlaybackReference, delay: Int) throws(FrontEndFault) {
    self.playback = playback
    self.delay = max(0, Double(delay) / 1000 - Self.lead)
    canceller = try FrontEnd(
      FrontEndSettings(
        highPass: false, noiseSuppression: .off, voiceActivity: false, echoCancellation: true,
        echoDelay: delay))
  }

  deinit { reference.deallocate() }

  /// Takes the echo out of `frame`, which begins at `position` and has just come.
  ///
  /// - Returns: whether the loudspeaker plays.
  package func clean(_ frame: UnsafeMutableBufferPointer<Int16>, at position: SampleIndex) -> Bool {
    let end = AudioFormat.seconds(position + frame.count)
    origin = min(origin + Self.drift, MonotonicClock.now() - end)
    let isPlaying = playback.read(at: time(of: position) + Self.lead, into: reference)
    _ = canceller.process(frame, reference: isPlaying ? UnsafeBufferPointer(reference) : nil)
    return isPlaying
  }

  /// Whether a hotword found at `range` is one that the assistant says itself.
  package func holds(_ keyword: Int, at range: Range<SampleIndex>) -> Bool {
    playback.holds(
      keyword, from: time(of: range.lowerBound) - delay, to: time(of: range.upperBound) - delay,
      tolerance: Self.tolerance)
  }

  private func time(of position: SampleIndex) -> Double { origin + AudioFormat.seconds(position) }
}
