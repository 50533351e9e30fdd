import Assistant
import AudioCapture
import Clips
import Detection
import Monitor
import PCM
import Platform
import Service
import SoundCheck

/// Turns the frames of an input into the monitor's state.
final class MonitorListener {
  private(set) var state: MonitorState

  /// Seconds of audio that can be saved.
  private static let historySeconds = 10.0

  private let models: [(model: HotwordModel, sensitivity: Sensitivity)]
  /// Whether times are those of the day, not of the stream.
  private let isLive: Bool
  private let history = AudioHistory(seconds: MonitorListener.historySeconds)
  private var spotter: KeywordSpotter
  /// The position in the stream at which `spotter` began.
  private var begin: SampleIndex = 0
  private var endOfSpeech = EndOfSpeech()

  /// - Throws: `DetectionFault` for models that cannot run.
  init(
    input: String, models: [(model: HotwordModel, sensitivity: Sensitivity)], isLive: Bool
  ) throws {
    self.models = models
    self.isLive = isLive
    spotter = try KeywordSpotter(models)
    let keywords = spotter.keywords.map { MonitorState.Keyword(name: $0.name, threshold: $0.threshold) }
    state = MonitorState(input: input, keywords: keywords)
  }

  func push(_ frame: AudioFrame) {
    let read = frame.read
    if read.events.contains(.overrun) { state.countOverrun() }
    if read.events.contains(.lost) { state.stage = .lost }
    if read.events.contains(.recovered) { state.stage = .listening }
    if read.gap > 0 {
      report(spotter.skip(read.gap))
      history.appendGap(read.gap)
      state.skip(read.gap)
    }
    if read.count > 0 {
      frame.samples.withUnsafeBufferPointer { samples in
        history.append(samples)
        report(spotter.push(samples))
        measure(samples)
      }
    }
    if read.isEnd {
      report(spotter.finish())
      state.stage = .ended
    }
  }

  /// Adds `change` to every model's own sensitivity. The spotter starts anew.
  func setSensitivity(change: Double) {
    let changed = models.compactMap { model in
      (try? Sensitivity(min(1, max(0, model.sensitivity.value + change)))).map { (model.model, $0) }
    }
    guard change != state.sensitivity, changed.count == models.count,
      let other = try? KeywordSpotter(changed)
    else { return }
    begin += spotter.position
    spotter = other
    for (index, keyword) in other.keywords.enumerated() {
      state.keywords[index].threshold = keyword.threshold
    }
    state.sensitivity = change
  }

  /// Saves the last seconds as a WAV file in the working folder.
  ///
  /// - Returns: a note about the file or the failure.
  func save() -> String {
    let path = "heard-\(ClipTime.now().compact).wav"
    let samples = history.read(from: history.start, to: history.end) ?? []
    do throws(CaptureFault) {
      try AudioFile.write(samples, to: path)
    } catch {
      return error.message
    }
    return "saved \(JSON.rounded(AudioFormat.seconds(samples.count), digits: 1)) s to \(path)"
  }

  private func measure(_ samples: UnsafeBufferPointer<Int16>) {
    var squares = 0.0
    var greatest = 0.0
    for sample in samples {
      let value = Double(sample)
      squares += value * value
      greatest = max(greatest, abs(value))
    }
    let level = SoundMeasure.decibels((squares / Double(samples.count)).squareRoot() / 32_768)
    let isVoiced = spotter.activity.voiced
    _ = endOfSpeech.push(voiced: isVoiced, level: Float(level))
    state.push(
      MonitorState.Frame(
        level: level, peak: SoundMeasure.decibels(greatest / 32_768),
        noiseFloor: Double(endOfSpeech.noiseLevel), isVoiced: isVoiced,
        scores: spotter.keywords.indices.map { spotter.score(of: $0)?.score }))
  }

  private func report(_ hits: Int) {
    for hit in spotter.hits(hits) {
      let time =
        isLive
        ? String(ClipTime.now().local.suffix(8))
        : String(EventText.clock(begin + hit.end).drop { $0 == " " })
      state.add(MonitorState.Wake(time: time, keyword: hit.keyword, score: hit.score))
    }
  }
}
