import Clips
import Detection
import PCM
import Platform
import Supervision

/// Keeps the audio of wakes and near misses: cuts it from the stream's history and hands it to the thread that writes.
/// Without a folder it counts the near misses and keeps nothing.
///
/// It belongs to the listening loop. A frame costs a comparison per keyword; only a clip, once whole, is copied.
final class ClipRecorder {
  /// What tells when a word was said.
  enum Clock {
    /// The wall's: live audio.
    case wall
    /// The stream's position: audio that comes at another speed than it was spoken.
    case stream(began: ClipTime)
  }

  /// The counters of the keywords.
  let counted: [ServiceMetrics.Keyword]
  private let writer: ClipWriter?
  private let clock: Clock
  private var nearMisses: [NearMisses]
  private var cutter = ClipCutter()

  /// - Parameters:
  ///   - folder: where clips are kept; nil for nowhere.
  ///   - metrics: counts near misses.
  init(
    _ folder: String?, limit: ClipLimit, keywords: [KeywordSpotter.Keyword], clock: Clock,
    metrics: ServiceMetrics
  ) {
    writer = folder.map { ClipWriter(ClipStore(folder: $0), limit: limit) }
    counted = keywords.map { metrics.keyword($0.name) }
    self.clock = clock
    nearMisses = keywords.map { NearMisses(threshold: $0.threshold) }
  }

  /// Starts the thread that writes; a folder that cannot be written to is told now, and listening goes on.
  func start() throws { try writer?.start() }

  /// Notes a wake.
  func wake(_ hit: Hit) {
    guard writer != nil else { return }
    cutter.add(keyword: hit.keyword, kind: .wake, score: hit.score, end: hit.end)
  }

  /// Takes the scores of the spotter's last frame, which the dialogue has heard too.
  func hear(_ spotter: KeywordSpotter, in dialogue: Dialogue) {
    for index in nearMisses.indices {
      guard let step = spotter.score(of: index),
        let peak = nearMisses[index].push(step.score, at: step.end)
      else { continue }
      note(peak, of: index)
    }
    for cut in cutter.cuts(at: spotter.position) { keep(cut, from: dialogue, at: spotter.position) }
  }

  /// Keeps what still waits for audio that does not come: the stream ends or breaks at `position`.
  ///
  /// - Parameter next: where it goes on.
  func finish(at position: SampleIndex, goingOnAt next: SampleIndex? = nil, in dialogue: Dialogue) {
    for index in nearMisses.indices {
      if let peak = nearMisses[index].finish() { note(peak, of: index) }
    }
    for cut in cutter.finish(at: position, goingOnAt: next) {
      keep(cut, from: dialogue, at: next ?? position)
    }
  }

  /// Waits until all is written, a few seconds at most.
  func drain() { writer?.drain() }

  /// Ends the thread, once all is written.
  func close() { writer?.close() }

  private func note(_ peak: NearMisses.Peak, of index: Int) {
    counted[index].nearMisses.add()
    guard writer != nil else { return }
    cutter.add(keyword: counted[index].name, kind: .nearMiss, score: peak.score, end: peak.end)
  }

  /// - Parameter position: where the stream stands now.
  private func keep(_ cut: ClipCutter.Cut, from dialogue: Dialogue, at position: SampleIndex) {
    guard let writer, let samples = dialogue.samples(cut.range) else { return }
    let time =
      switch clock {
      case .wall: ClipTime.now().advanced(by: AudioFormat.seconds(cut.end - position))
      case .stream(let began): began.advanced(by: AudioFormat.seconds(cut.end))
      }
    writer.write(samples, as: Clip(time: time, keyword: cut.keyword, kind: cut.kind, score: cut.score))
  }
}
