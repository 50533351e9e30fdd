import Assistant
import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import Supervision
import Synchronization

/// `hotword run`: frames in, events out; the spotter and the assistant in one loop.
///
/// On live audio the loop waits for nothing but the next frame: the conversation runs on a thread of its own. Input
/// that comes faster than it was spoken (a file, a pipe from one) waits for the conversation instead, so that its
/// events do not depend on the machine's speed.
final class ServiceLoop {
  /// Seconds of audio kept for the pre-roll, for lost turns of the loop, and for a new spotter to catch up.
  private static let historySeconds: Double = 20
  /// Seconds that the conversation, and what it runs, gets to end in when the process is asked to stop.
  private static let patience = 0.6

  private let source: any AudioSource
  private let reader: FrameReader
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  private let pacing: Pacing
  private var components: ServiceComponents
  /// The first components's, or that of a later one with other models.
  private var spotter: KeywordSpotter
  private var playbackSensitivity: PlaybackSensitivity
  private var lastHit: Range<SampleIndex> = 0..<0
  private let dialogue: Dialogue
  private let signals: ServiceSignals
  private let bridge: HermesBridge?
  private let reloader: Reloader
  private let supervisor: Supervisor
  private var began = 0.0

  /// - Parameters:
  ///   - bridge: tells and asks an MQTT broker; nil for none.
  ///   - signals: ends the listening; the open conversation is still brought to its end.
  ///   - reloader: is asked for other components while no conversation is open.
  init(
    source: any AudioSource, pacing: Pacing, components: ServiceComponents, bridge: HermesBridge?,
    signals: ServiceSignals, reloader: Reloader, supervisor: Supervisor
  ) {
    self.source = source
    reader = FrameReader(source)
    self.pacing = pacing
    self.components = components
    spotter = components.spotter
    playbackSensitivity = PlaybackSensitivity(components.spotter)
    self.signals = signals
    self.bridge = bridge
    self.reloader = reloader
    self.supervisor = supervisor
    dialogue = Dialogue(
      components, historySeconds: Self.historySeconds, metrics: supervisor.metrics, bridge: bridge)
  }

  deinit { frame.deallocate() }

  /// Listens until the stream ends, which a microphone's does only when the process is asked to stop.
  func run() throws {
    try components.start(telling: dialogue)
    try bridge?.start(dialogue, components)
    try reloader.start()
    let reloader = reloader
    try signals.start(closing: source) { reloader.ask() }
    try supervisor.serve()
    began = MonotonicClock.now()
    dialogue.open()
    supervisor.ready(keywords, isReload: false)
    try supervisor.start()
    while true {
      let read = try reader.next(into: frame)
      supervisor.heartbeat.turn()
      try reloader.offer { try adopt($0) }
      heed(read.events)
      if read.gap > 0 {
        let end = dialogue.position
        report(spotter.skip(read.gap))
        components.recorder.finish(at: end, goingOnAt: end + read.gap, in: dialogue)
        dialogue.lose(read.gap)
        supervisor.metrics.gaps.add()
        supervisor.metrics.lost.add(read.gap)
      }
      if read.count > 0 { hear() }
      while mustWait, !signals.isAsked {
        supervisor.heartbeat.turn()
        usleep(200)
      }
      if read.isEnd || signals.isAsked { return finish() }
    }
  }

  private func heed(_ events: DeviceEvents) {
    if events.contains(.lost) {
      components.recorder.finish(at: dialogue.position, in: dialogue)
      dialogue.advance(.deviceLost)
      supervisor.metrics.deviceLosses.add()
    }
    if events.contains(.recovered) { dialogue.advance(.deviceRecovered) }
    if events.contains(.overrun) { supervisor.metrics.overruns.add() }
    guard !events.isDisjoint(with: [.lost, .recovered]) else { return }
    let isLost = !events.contains(.recovered)
    supervisor.heartbeat.wait(isLost)
    supervisor.metrics.isDeviceThere.set(isLost ? 0 : 1)
  }

  private func hear() {
    let start = MonotonicClock.now()
    if let echoCanceller = components.echoCanceller {
      let position = dialogue.position
      playbackSensitivity.update(isPlaying: echoCanceller.clean(frame, at: position), at: position, spotter)
    }
    let hits = spotter.push(UnsafeBufferPointer(frame))
    supervisor.metrics.listening.add(Int((MonotonicClock.now() - start) * 1e6))
    supervisor.metrics.heard.add(frame.count)
    supervisor.heartbeat.hear()
    let activity = spotter.activity
    dialogue.hear(UnsafeBufferPointer(frame), voiced: activity.voiced, level: activity.level)
    if let bridge {
      if bridge.takeReturn() { _ = spotter.skip(0) }
      guard bridge.isDetecting else { return }
    }
    report(hits)
    wake(by: components.watch?.take() ?? [])
    components.recorder.hear(spotter, in: dialogue)
  }

  /// Tells the assistant of the spotter's hits; where voices are enrolled, once it is known who spoke.
  private func report(_ hits: Int) {
    for index in 0..<hits { heed(spotter.hit(index)) }
    if hits > 0, pacing != .live { awaitVoices() }
  }

  private func heed(_ hit: Hit) {
    let word = hit.start..<hit.end
    lastHit = word
    if components.echoCanceller?.holds(hit.model, at: word) ?? false { return }
    if let watch = components.watch {
      let (samples, place) = dialogue.surroundings(of: word)
      watch.ask(hit, samples, word: place)
    } else if dialogue.wake(hit) {
      components.recorder.wake(hit)
    }
  }

  private func wake(by verdicts: [SpeakerIdentifier.Verdict]) {
    for verdict in verdicts where dialogue.wake(verdict.hit, by: verdict.speaker) {
      components.recorder.wake(verdict.hit)
    }
  }

  /// Waits until it is known who spoke the hits so far, some tens of milliseconds.
  private func awaitVoices() {
    guard let watch = components.watch else { return }
    while !watch.isIdle { usleep(200) }
    wake(by: watch.take())
  }

  /// The stream's end: what the spotter still holds, then the conversation's last answers.
  private func finish() {
    supervisor.stopping()
    report(spotter.finish())
    awaitVoices()
    components.recorder.finish(at: dialogue.position, in: dialogue)
    dialogue.advance(.streamEnded)
    if !wait(Self.patience, until: { dialogue.isIdle }) {
      dialogue.advance(.dismissed(wantsResult: false))
      // A command that runs for us is ended before we are.
      _ = wait(Self.patience) { components.conversation.isIdle }
    }
    let speech = components.output.speech
    if !wait(0, until: { speech.isIdle }) {
      speech.stop()
      _ = wait(Self.patience) { speech.isIdle }
    }
    components.recorder.drain()
    bridge?.close()
  }

  /// Waits until `isDone`, but no longer than `patience` seconds once it is asked to stop.
  ///
  /// - Returns: whether it is done.
  private func wait(_ patience: Double, until isDone: () -> Bool) -> Bool {
    var deadline = Double.infinity
    while !isDone() {
      if deadline == .infinity, signals.isAsked { deadline = MonotonicClock.now() + patience }
      if MonotonicClock.now() >= deadline { return false }
      usleep(500)
    }
    return true
  }

  private var mustWait: Bool {
    switch pacing {
    case .live: false
    case .file: !components.conversation.isIdle || !components.output.speech.isIdle
    case .pipe:
      !(components.conversation.isIdle && components.output.speech.isIdle)
        && AudioFormat.seconds(dialogue.position) > MonotonicClock.now() - began
    }
  }
}

// MARK: - Reloading

extension ServiceLoop {
  /// Seconds of the past that a new spotter hears first: its front end and its networks settle.
  private static let lookingBack: Double = 10
  /// Seconds from a word's end within which only the new spotter may have found it.
  private static let recent: Double = 1

  private var keywords: [String] { spotter.keywords.map(\.name) }

  /// Goes on with `new` where no conversation is open; the stream, its clock and the timers stay.
  ///
  /// - Returns: whether it did.
  private func adopt(_ new: ServiceComponents) throws -> Bool {
    let old = components
    wake(by: old.watch?.take() ?? [])
    guard old.isIdle, dialogue.adopt(new) else { return false }
    try new.start(telling: dialogue)
    old.recorder.finish(at: dialogue.position, in: dialogue)
    components = new
    try bridge?.adopt(new)
    old.close()
    Log.configure(level: new.settings.logLevel, form: new.settings.log)
    let isOther = new.models != old.models
    if isOther {
      spotter = new.spotter
      playbackSensitivity = PlaybackSensitivity(spotter)
      catchUp()
    }
    Log.note("the configuration is read anew; listening for \(keywords.joined(separator: ", "))")
    supervisor.ready(keywords, isReload: true)
    return true
  }

  /// Lets a new spotter hear what the old one has heard, so that a word that is being said now is found.
  private func catchUp() {
    let end = dialogue.position
    let length = AudioFormat.frameLength
    let frames = (end - dialogue.heldFrom) / length
    let past = min(frames, AudioFormat.samples(Self.lookingBack) / length)
    let start = end - past * length
    _ = spotter.skip(start)
    guard let samples = dialogue.samples(start..<end) else { return }
    samples.withUnsafeBufferPointer { samples in
      for index in 0..<past {
        let hits = spotter.push(UnsafeBufferPointer(rebasing: samples[index * length..<(index + 1) * length]))
        for hit in 0..<hits {
          let hit = spotter.hit(hit)
          let isNew =
            end - hit.end < AudioFormat.samples(Self.recent) && !lastHit.overlaps(hit.start..<hit.end)
          if isNew { heed(hit) }
        }
      }
    }
  }
}
