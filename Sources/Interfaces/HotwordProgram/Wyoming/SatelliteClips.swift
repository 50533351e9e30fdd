import Assistant
import Configuration
import PCM
import Platform
import Service

/// The clips of a satellite: the audio of hotwords that open a command, and of near misses.
///
/// It belongs to the listening loop.
final class SatelliteClips {
  /// Seconds of the stream that clips are cut from: a near miss is found seconds after its end.
  private static let historySeconds = 12.0
  /// Seconds that the last clips have to be written.
  private static let longestEnd = 5.0

  private let recorder: ClipRecorder
  private let history = AudioHistory(seconds: SatelliteClips.historySeconds)
  private let written: ThreadSignal

  /// nil if the settings name no folder.
  ///
  /// - Parameter pacing: whether the audio is live; then the times of clips are those of the wall clock.
  init?(_ settings: SatelliteSettings, _ pacing: Pacing) throws {
    guard let folder = settings.keep else { return nil }
    let written = try ThreadSignal()
    self.written = written
    recorder = ClipRecorder(
      folder, limit: settings.keepLimit, clock: ClipRecorder.Clock(pacing)
    ) { written.send() }
    try recorder.start()
  }

  /// Appends the next frame of the stream.
  func append(_ frame: UnsafeBufferPointer<Int16>) {
    history.append(frame)
    recorder.advance(history)
  }

  /// Records that `count` samples of the stream are lost.
  func lose(_ count: Int) {
    recorder.finish(history, goingOnAt: history.end + count)
    history.appendGap(count)
  }

  /// Ends the clips that wait for audio; no later clip has audio from before this.
  func interrupt() { recorder.finish(history) }

  func noteWake(_ keyword: String, score: Double, end: SampleIndex) {
    recorder.noteWake(keyword, score: score, end: end)
  }

  func noteNearMiss(_ keyword: String, score: Double, end: SampleIndex) {
    recorder.noteNearMiss(keyword, score: score, end: end)
  }

  /// Waits until all clips are written, for up to five seconds.
  func close() {
    recorder.finish(history)
    let deadline = MonotonicClock.now() + Self.longestEnd
    while !recorder.isIdle, MonotonicClock.now() < deadline { written.wait(until: deadline) }
    recorder.close()
  }
}
