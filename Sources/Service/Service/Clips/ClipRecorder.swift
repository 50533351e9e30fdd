import Assistant
import Clips
import PCM
import Platform

/// Keeps the audio of wakes and near misses: cuts it from the stream's history and hands it to the thread that writes.
/// Without a folder it does nothing.
///
/// It belongs to one thread.
package final class ClipRecorder {
  /// How the time of a word is found.
  package enum Clock {
    /// The wall clock: live audio.
    case wall
    /// The stream's position: audio that is read at another speed than it was spoken.
    case stream(began: ClipTime)

    /// The wall clock for live audio; else the stream begins now.
    package init(_ pacing: Pacing) { self = pacing == .live ? .wall : .stream(began: .now()) }
  }

  private let writer: ClipWriter?
  private let clock: Clock
  private var cutter = ClipCutter()

  /// - Parameters:
  ///   - folder: where clips are kept; nil for nowhere.
  ///   - written: called on another thread when a clip is written; it must not wait.
  package init(
    _ folder: String?, limit: ClipLimit, clock: Clock, written: @escaping @Sendable () -> Void = {}
  ) {
    writer = folder.map { ClipWriter(ClipStore(folder: $0), limit: limit, written: written) }
    self.clock = clock
  }

  /// Starts the thread that writes; a folder that cannot be written to is logged, and the service goes on.
  package func start() throws { try writer?.start() }

  /// Notes that a hotword from the stream opened a conversation.
  package func noteWake(_ keyword: String, score: Double, end: SampleIndex) {
    add(keyword, .wake, score: score, end: end)
  }

  /// Notes a score close to the threshold of `keyword`, of a word that would have ended at `end`.
  package func noteNearMiss(_ keyword: String, score: Double, end: SampleIndex) {
    add(keyword, .nearMiss, score: score, end: end)
  }

  /// Writes the clips that are complete.
  package func advance(_ history: AudioHistory) {
    for cut in cutter.cuts(at: history.end) { write(cut, history, at: history.end) }
  }

  /// Writes the clips that still wait for audio, because the stream ends or breaks here.
  ///
  /// - Parameter next: where it goes on.
  package func finish(_ history: AudioHistory, goingOnAt next: SampleIndex? = nil) {
    for cut in cutter.finish(at: history.end, goingOnAt: next) {
      write(cut, history, at: next ?? history.end)
    }
  }

  /// Whether all is written.
  package var isIdle: Bool { writer?.isIdle ?? true }

  /// Ends the thread once all is written.
  package func close() { writer?.close() }

  private func add(_ keyword: String, _ kind: Clip.Kind, score: Double, end: SampleIndex) {
    guard writer != nil else { return }
    cutter.add(keyword: keyword, kind: kind, score: score, end: end)
  }

  /// - Parameter position: the stream's position now.
  private func write(_ cut: ClipCutter.Cut, _ history: AudioHistory, at position: SampleIndex) {
    guard let writer, let samples = history.read(from: cut.range.lowerBound, to: cut.range.upperBound)
    else { return }
    let time =
      switch clock {
      case .wall: ClipTime.now().advanced(by: AudioFormat.seconds(cut.end - position))
      case .stream(let began): began.advanced(by: AudioFormat.seconds(cut.end))
      }
    writer.write(samples, as: Clip(time: time, keyword: cut.keyword, kind: cut.kind, score: cut.score))
  }
}
