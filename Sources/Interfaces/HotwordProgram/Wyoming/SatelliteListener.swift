import AudioCapture
import Detection
import PCM
import Platform
import Service
import Speakers
import Supervision
import WyomingServer

/// Passes the frames of a satellite to its spotter, and hotwords and audio to its link; counts and keeps what it finds.
final class SatelliteListener {
  private let spotter: KeywordSpotter
  private let link: SatelliteLink
  private let echoCanceller: EchoCanceller?
  private let voices: EnrolledVoices?
  /// The audio that voices are judged by; nil without enrolled voices.
  private let recent: HeardStream?
  /// Whether only enrolled voices can trigger a hotword.
  private let onlyVoices: Bool
  /// Which models count; nil for all.
  private let choice: WakeWordChoice?
  private let supervisor: Supervisor<SatelliteMetrics>
  private let clips: SatelliteClips?
  private let page: SatellitePage?
  private var nearMisses: [NearMisses]
  /// Whether the hotwords of the last frame counted.
  private var isListening = false
  /// The change of the choice that the spotter follows.
  private var chosen = -1
  private var playbackSensitivity: PlaybackSensitivity
  private var position: SampleIndex = 0
  private let buffer = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)

  /// - Parameters:
  ///   - echoCanceller: removes what the satellite plays; nil if it plays nothing, and for recordings.
  ///   - voices: the enrolled voices; nil for none.
  ///   - onlyVoices: whether only they can trigger a hotword.
  ///   - choice: which of the spotter's models count; nil for all.
  ///   - supervisor: counts, and follows the signs of life.
  ///   - clips: keeps hotwords and near misses; nil to keep none.
  ///   - page: shows the stream; nil without one.
  init(
    _ spotter: KeywordSpotter, _ link: SatelliteLink, echoCanceller: EchoCanceller?,
    voices: EnrolledVoices?, onlyVoices: Bool, choice: WakeWordChoice?,
    supervisor: Supervisor<SatelliteMetrics>, clips: SatelliteClips? = nil, page: SatellitePage? = nil
  ) {
    self.supervisor = supervisor
    self.clips = clips
    self.choice = choice
    self.page = page
    self.voices = voices
    self.onlyVoices = onlyVoices
    recent = voices.map { _ in HeardStream() }
    self.spotter = spotter
    self.link = link
    self.echoCanceller = echoCanceller
    playbackSensitivity = PlaybackSensitivity(spotter)
    nearMisses = spotter.keywords.map { NearMisses(threshold: $0.threshold) }
    for keyword in spotter.keywords where choice?.isActive(keyword.name) ?? true {
      _ = supervisor.metrics.stream.keyword(keyword.name)
    }
  }

  deinit { buffer.deallocate() }

  private var metrics: StreamMetrics { supervisor.metrics.stream }

  func push(_ frame: AudioFrame) {
    let read = frame.read
    supervisor.heartbeat.turn()
    follow(read.events)
    if read.gap > 0 { lose(read.gap) }
    if read.count > 0 { detect(frame.samples) }
  }

  /// Disconnects Home Assistant.
  func stop() {
    finishNearMisses()
    link.stop()
    clips?.close()
  }

  /// Ends the stream.
  func finish() {
    report(spotter.finish())
    finishNearMisses()
    link.finish()
    clips?.close()
  }

  private func follow(_ events: DeviceEvents) {
    if events.contains(.overrun) { metrics.overruns.add() }
    if events.contains(.lost) {
      Log.warning("the microphone is disconnected; retrying until it is back")
      metrics.deviceLosses.add()
      finishNearMisses()
      clips?.interrupt()
    }
    if events.contains(.recovered) { Log.note("the microphone is connected again") }
    guard !events.isDisjoint(with: [.lost, .recovered]) else { return }
    let isLost = !events.contains(.recovered)
    supervisor.heartbeat.wait(isLost)
    metrics.isDeviceThere.set(isLost ? 0 : 1)
  }

  private func lose(_ count: Int) {
    report(spotter.skip(count))
    finishNearMisses()
    link.appendGap(count)
    recent?.lose(count)
    clips?.lose(count)
    metrics.gaps.add()
    metrics.lost.add(count)
    position += count
  }

  private func detect(_ samples: [Int16]) {
    _ = buffer.update(fromContentsOf: samples)
    if let choice, choice.hasChanged(since: &chosen) { follow(choice) }
    followConnection()
    let start = MonotonicClock.now()
    if let echoCanceller {
      playbackSensitivity.update(
        isPlaying: echoCanceller.clean(buffer, at: position), at: position, spotter)
    }
    if let requests = page?.sensitivities, requests.takePending() { change(requests) }
    position += buffer.count
    let hits = spotter.push(UnsafeBufferPointer(buffer))
    metrics.listening.add(Int((MonotonicClock.now() - start) * 1e6))
    metrics.heard.add(buffer.count)
    supervisor.heartbeat.frame()
    recent?.append(UnsafeBufferPointer(buffer))
    let activity = spotter.activity
    link.append(UnsafeBufferPointer(buffer), voiced: activity.voiced, level: activity.level)
    clips?.append(UnsafeBufferPointer(buffer))
    show(activity.voiced, activity.level)
    report(hits)
    for model in nearMisses.indices {
      guard let step = spotter.score(of: model) else { continue }
      if let peak = nearMisses[model].push(step.score, at: step.end) { report(peak, of: model) }
    }
  }

  /// Takes the models and sensitivities that were chosen in Home Assistant.
  private func follow(_ choice: WakeWordChoice) {
    choice.apply(to: spotter)
    page?.follow(spotter)
    playbackSensitivity = PlaybackSensitivity(spotter)
    nearMisses = spotter.keywords.map { NearMisses(threshold: $0.threshold) }
    supervisor.change(spotter.keywords.map(\.name).filter(choice.isActive))
  }

  /// No clip has audio from before Home Assistant has connected or while the microphone is muted.
  private func followConnection() {
    guard link.isListening != isListening else { return }
    finishNearMisses()
    isListening.toggle()
    clips?.interrupt()
  }

  private func show(_ isVoiced: Bool, _ level: Float) {
    guard let live = page?.live else { return }
    live.put(scoresOf: spotter)
    live.take(
      UnsafeBufferPointer(buffer), isVoiced: isVoiced, level: level, end: position,
      models: spotter.keywords.count)
  }

  private func change(_ requests: SensitivityRequests) {
    for model in spotter.keywords.indices {
      guard let levels = requests.take(model) else { continue }
      playbackSensitivity.change(model, usual: levels.usual, raised: levels.raised, spotter)
      nearMisses[model] = NearMisses(threshold: levels.usual.threshold)
    }
  }

  private func report(_ hits: Int) {
    for hit in spotter.hits(hits) where choice?.isActive(hit.keyword) ?? true {
      if echoCanceller?.holds(hit.model, at: hit.start..<hit.end) ?? false { continue }
      let speaker = voices.flatMap { recent?.judge(hit, by: $0)?.name }
      if onlyVoices, speaker == nil {
        Log.note("\(hit.keyword) was said by a voice that is not enrolled")
        continue
      }
      let score = "score \(JSON.rounded(hit.score, digits: 2))"
      Log.note("detected \(hit.keyword), \(score)\(speaker.map { ", said by \($0)" } ?? "")")
      if link.wake(hit.keyword, end: hit.end, speaker: speaker) {
        clips?.noteWake(hit.keyword, score: hit.score, end: hit.end)
      }
    }
  }

  private func report(_ peak: NearMisses.Peak, of model: Int) {
    let keyword = spotter.keywords[model].name
    guard isListening, choice?.isActive(keyword) ?? true else { return }
    metrics.keyword(keyword).nearMisses.add()
    clips?.noteNearMiss(keyword, score: peak.score, end: peak.end)
  }

  private func finishNearMisses() {
    for model in nearMisses.indices {
      if let peak = nearMisses[model].finish() { report(peak, of: model) }
    }
  }
}
