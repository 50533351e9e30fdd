import FrontEnd
import PCM
import Platform
import SpeechSynthesis

/// Removes what the loudspeaker plays from the microphone's signal, and recognizes the hotwords in it.
///
/// Only for live audio, whose samples have a time on the clock. One thread at a time may use it.
package final class EchoCanceller {
  /// Seconds by which the reference runs ahead, as the canceller looks for echo only behind it.
  static let lead = 0.04
  /// Seconds around a hotword that the loudspeaker plays in which the same one is ignored.
  private static let tolerance = 0.4

  private var playback: PlaybackReference
  private let canceller: FrontEnd
  /// Milliseconds from the reference to its echo.
  package private(set) var delay: Int
  private let reference = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  private var origin = StreamOrigin()

  /// - Parameter delay: milliseconds from the reference to its echo, 0…500.
  package init(_ playback: PlaybackReference, delay: Int) throws(FrontEndFault) {
    self.playback = playback
    self.delay = delay
    canceller = try FrontEnd(
      FrontEndSettings(
        highPass: false, noiseSuppression: .off, voiceActivity: false, echoCancellation: true,
        echoDelay: delay))
  }

  deinit { reference.deallocate() }

  /// Goes on with another reference and another delay.
  func change(reference: PlaybackReference, delay: Int) {
    playback = reference
    self.delay = delay
    canceller.setEchoDelay(delay)
  }

  /// Removes the echo from `frame`, which begins at `position` and has just come.
  ///
  /// - Returns: whether the loudspeaker plays.
  package func clean(_ frame: UnsafeMutableBufferPointer<Int16>, at position: SampleIndex) -> Bool {
    let end = AudioFormat.seconds(position + frame.count)
    origin.follow(end: end, at: MonotonicClock.now())
    let isPlaying = playback.read(
      at: origin.time + AudioFormat.seconds(position) + Self.lead, into: reference)
    _ = canceller.process(frame, reference: isPlaying ? UnsafeBufferPointer(reference) : nil)
    return isPlaying
  }

  /// Whether the loudspeaker plays the hotword of the model with index `keyword` at `range`. Real-time safe.
  package func holds(_ keyword: Int, at range: Range<SampleIndex>) -> Bool {
    // Before the first frame nothing has been played.
    guard origin.time.isFinite else { return false }
    // Seconds from the loudspeaker to the microphone beyond what ALSA reports.
    let distance = max(0, Double(delay) / 1000 - Self.lead)
    let start = origin.time - distance
    return playback.holds(
      keyword, from: start + AudioFormat.seconds(range.lowerBound),
      to: start + AudioFormat.seconds(range.upperBound), tolerance: Self.tolerance)
  }
}
