import AudioCapture
import Detection
import PCM
import Platform
import Service
import WyomingServer

/// `hotword satellite`'s loop: frames in, hotwords and audio to the link.
final class SatelliteEar {
  private let source: any AudioSource
  private let spotter: KeywordSpotter
  private let link: SatelliteLink
  private let echoCanceller: EchoCanceller?
  private var playbackSensitivity: PlaybackSensitivity
  private var position: SampleIndex = 0

  /// - Parameter echoCanceller: keeps what is played from being heard; nil where nothing is, and for recordings.
  init(_ source: any AudioSource, _ spotter: KeywordSpotter, _ link: SatelliteLink, echoCanceller: EchoCanceller?) {
    self.source = source
    self.spotter = spotter
    self.link = link
    self.echoCanceller = echoCanceller
    playbackSensitivity = PlaybackSensitivity(spotter)
  }

  /// Listens until the input ends, or the process is asked to.
  func run(until signals: ServiceSignals) throws {
    let reader = FrameReader(source)
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    while !signals.isAsked {
      let read = try reader.next(into: frame)
      if read.events.contains(.lost) {
        Log.warning("the microphone is gone; it is tried again until it is back")
      }
      if read.events.contains(.recovered) { Log.note("the microphone is back") }
      if read.gap > 0 {
        tell(spotter.skip(read.gap))
        link.appendGap(read.gap)
        position += read.gap
      }
      if read.count > 0 { hear(frame) }
      if read.isEnd { break }
    }
    tell(spotter.finish())
    link.finish()
  }

  private func hear(_ frame: UnsafeMutableBufferPointer<Int16>) {
    if let echoCanceller {
      playbackSensitivity.update(isPlaying: echoCanceller.clean(frame, at: position), at: position, spotter)
    }
    position += frame.count
    let hits = spotter.push(UnsafeBufferPointer(frame))
    let activity = spotter.activity
    link.append(UnsafeBufferPointer(frame), voiced: activity.voiced, level: activity.level)
    tell(hits)
  }

  private func tell(_ hits: Int) {
    for index in 0..<hits {
      let hit = spotter.hit(index)
      if echoCanceller?.holds(hit.model, at: hit.start..<hit.end) ?? false { continue }
      Log.note("heard \(hit.keyword), score \(JSON.rounded(hit.score, digits: 2))")
      link.wake(hit.keyword, end: hit.end)
    }
  }
}
