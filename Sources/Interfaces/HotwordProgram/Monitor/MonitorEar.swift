import Assistant
import AudioCapture
import Clips
import Detection
import Glibc
import Monitor
import PCM
import Platform
import Service
import SoundCheck
import Synchronization

/// Listens on a thread of its own and keeps the monitor's state.
final class MonitorEar: Sendable {
  private struct Wanted {
    var state: MonitorState
    var failure: CaptureFault?
    var sensitivity = 0.0
    var isSaving = false
    var isStopped = false
  }

  private let wanted: Mutex<Wanted>

  /// Seconds that can be saved.
  private static let historySeconds = 10.0

  /// What the listening thread alone has.
  private struct Tools: @unchecked Sendable {
    let source: any AudioSource
    let models: [(model: HotwordModel, sensitivity: Sensitivity)]
    /// Whether times are told by the clock on the wall, not by the stream.
    let isLive: Bool

    func models(adding added: Double) throws -> [(model: HotwordModel, sensitivity: Sensitivity)] {
      try models.map { ($0.model, try Sensitivity(min(1, max(0, $0.sensitivity.value + added)))) }
    }
  }

  /// - Throws: `DetectionFault` for models that cannot run, `SystemFault` where no thread can be started.
  init(
    _ source: any AudioSource, name: String, models: [(model: HotwordModel, sensitivity: Sensitivity)],
    isLive: Bool
  ) throws {
    let spotter = try KeywordSpotter(models)
    let keywords = spotter.keywords.map { MonitorState.Keyword(name: $0.name, threshold: $0.threshold) }
    wanted = Mutex(Wanted(state: MonitorState(input: name, keywords: keywords)))
    let tools = Tools(source: source, models: models, isLive: isLive)
    try DetachedThread.start { [self] in listen(tools) }
  }

  var state: MonitorState { wanted.withLock { $0.state } }

  /// What ended the listening.
  var failure: CaptureFault? { wanted.withLock { $0.failure } }

  /// Asks for other sensitivities, all of them so much higher than the models' own.
  func setSensitivity(_ added: Double) { wanted.withLock { $0.sensitivity = added } }

  /// Asks for the last seconds as a WAV file in the working folder; the state's note tells what came of it.
  func save() { wanted.withLock { $0.isSaving = true } }

  func stop() { wanted.withLock { $0.isStopped = true } }

  private func listen(_ tools: Tools) {
    let history = AudioHistory(seconds: Self.historySeconds)
    do throws(CaptureFault) {
      try hear(tools, history)
      wanted.withLock { $0.state.stage = .ended }
    } catch {
      wanted.withLock { $0.failure = error }
    }
    while !wanted.withLock({ $0.isStopped }) {
      answer(tools, history)
      usleep(100_000)
    }
  }

  private func hear(_ tools: Tools, _ history: AudioHistory) throws(CaptureFault) {
    guard var spotter = try? KeywordSpotter(tools.models) else { return }
    let reader = FrameReader(tools.source)
    var floor = EndOfSpeech()
    var began = 0
    var added = 0.0
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    while true {
      let read = try reader.next(into: frame)
      if read.events.contains(.overrun) { wanted.withLock { $0.state.overrun() } }
      if read.events.contains(.lost) { wanted.withLock { $0.state.stage = .lost } }
      if read.events.contains(.recovered) { wanted.withLock { $0.state.stage = .listening } }
      if read.gap > 0 {
        report(spotter.hits(spotter.skip(read.gap)), after: began, tools)
        history.appendGap(read.gap)
        wanted.withLock { $0.state.lose(read.gap) }
      }
      if read.count > 0 {
        let samples = UnsafeBufferPointer(frame)
        history.append(samples)
        report(spotter.hits(spotter.push(samples)), after: began, tools)
        tell(samples, spotter, &floor)
      }
      let asked = answer(tools, history)
      if asked != added, let other = try? KeywordSpotter(tools.models(adding: asked)) {
        added = asked
        began += spotter.position
        spotter = other
      }
      if read.isEnd || wanted.withLock({ $0.isStopped }) {
        return report(spotter.hits(spotter.finish()), after: began, tools)
      }
    }
  }

  private func tell(
    _ samples: UnsafeBufferPointer<Int16>, _ spotter: KeywordSpotter, _ floor: inout EndOfSpeech
  ) {
    var squares = 0.0
    var greatest = 0.0
    for sample in samples {
      let value = Double(sample)
      squares += value * value
      greatest = max(greatest, abs(value))
    }
    let level = SoundMeasure.decibels((squares / Double(samples.count)).squareRoot() / 32_768)
    let isVoiced = spotter.activity.voiced
    _ = floor.push(voiced: isVoiced, level: Float(level))
    let heard = MonitorState.Frame(
      level: level, peak: SoundMeasure.decibels(greatest / 32_768), noiseFloor: Double(floor.noiseLevel),
      isVoiced: isVoiced, scores: spotter.keywords.indices.map { spotter.score(of: $0)?.score })
    wanted.withLock { $0.state.hear(heard) }
  }

  private func report(_ hits: [Hit], after began: SampleIndex, _ tools: Tools) {
    for hit in hits {
      let time =
        tools.isLive
        ? String(ClipTime.now().local.suffix(8))
        : String(EventWriter.clock(began + hit.end).drop { $0 == " " })
      wanted.withLock {
        $0.state.wake(MonitorState.Wake(time: time, keyword: hit.keyword, score: hit.score))
      }
    }
  }

  /// Saves what was asked for, and shows the thresholds.
  ///
  /// - Returns: what is to be added to the sensitivities.
  @discardableResult
  private func answer(_ tools: Tools, _ history: AudioHistory) -> Double {
    let (isSaving, asked, shown) = wanted.withLock { wanted in
      defer { wanted.isSaving = false }
      return (wanted.isSaving, wanted.sensitivity, wanted.state.sensitivity)
    }
    if isSaving { save(history) }
    guard asked != shown, let models = try? tools.models(adding: asked) else { return asked }
    let thresholds = models.map {
      $0.model.curve.threshold(for: $0.sensitivity, calibrated: $0.model.decision.threshold)
    }
    wanted.withLock { wanted in
      for index in thresholds.indices { wanted.state.keywords[index].threshold = thresholds[index] }
      wanted.state.sensitivity = asked
    }
    return asked
  }

  private func save(_ history: AudioHistory) {
    let path = "heard-\(ClipTime.now().compact).wav"
    let samples = history.read(from: history.start, to: history.end) ?? []
    var note = "saved \(JSON.rounded(AudioFormat.seconds(samples.count), digits: 1)) s to \(path)"
    do throws(CaptureFault) {
      try AudioFile.write(samples, to: path)
    } catch {
      note = error.message
    }
    wanted.withLock { [note] in $0.state.note = note }
  }
}
