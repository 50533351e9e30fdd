import Detection
import PCM
import Platform
import Service
import Speakers
import WyomingServer

/// Passes the frames of a satellite to its spotter, and hotwords and audio to its link.
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
  private let page: SatellitePage?
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
  ///   - page: shows the stream; nil without one.
  init(
    _ spotter: KeywordSpotter, _ link: SatelliteLink, echoCanceller: EchoCanceller?,
    voices: EnrolledVoices?, onlyVoices: Bool, choice: WakeWordChoice?,
    page: SatellitePage? = nil
  ) {
    self.choice = choice
    self.page = page
    self.voices = voices
    self.onlyVoices = onlyVoices
    recent = voices.map { _ in HeardStream() }
    self.spotter = spotter
    self.link = link
    self.echoCanceller = echoCanceller
    playbackSensitivity = PlaybackSensitivity(spotter)
  }

  deinit { buffer.deallocate() }

  func push(_ frame: AudioFrame) {
    let read = frame.read
    if read.events.contains(.lost) {
      Log.warning("the microphone is disconnected; retrying until it is back")
    }
    if read.events.contains(.recovered) { Log.note("the microphone is connected again") }
    if read.gap > 0 {
      report(spotter.skip(read.gap))
      link.appendGap(read.gap)
      recent?.lose(read.gap)
      position += read.gap
    }
    if read.count > 0 { detect(frame.samples) }
  }

  /// Disconnects Home Assistant.
  func stop() { link.stop() }

  /// Ends the stream.
  func finish() {
    report(spotter.finish())
    link.finish()
  }

  private func detect(_ samples: [Int16]) {
    _ = buffer.update(fromContentsOf: samples)
    if let choice, choice.hasChanged(since: &chosen) {
      choice.apply(to: spotter)
      page?.follow(spotter)
      playbackSensitivity = PlaybackSensitivity(spotter)
    }
    if let echoCanceller {
      playbackSensitivity.update(
        isPlaying: echoCanceller.clean(buffer, at: position), at: position, spotter)
    }
    if let requests = page?.sensitivities, requests.takePending() { change(requests) }
    position += buffer.count
    let hits = spotter.push(UnsafeBufferPointer(buffer))
    recent?.append(UnsafeBufferPointer(buffer))
    let activity = spotter.activity
    link.append(UnsafeBufferPointer(buffer), voiced: activity.voiced, level: activity.level)
    show(activity.voiced, activity.level)
    report(hits)
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
      link.wake(hit.keyword, end: hit.end, speaker: speaker)
    }
  }
}
