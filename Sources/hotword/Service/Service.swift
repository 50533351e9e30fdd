import Assistant
import AudioCapture
import Detection
import Glibc
import Platform
import Synchronization

/// `hotword run`: frames in, events out; the spotter and the assistant in one loop.
///
/// On live audio the loop waits for nothing but the next frame: the conversation runs on a thread of its own. Input
/// that comes faster than it was spoken (a file, a pipe from one) waits for the conversation instead, so that its
/// events do not depend on the machine's speed.
final class Service {
  /// Whether the loop may run ahead of the conversation.
  enum Pacing {
    /// Never waits: a microphone, or a file played as if it were one.
    case live
    /// Waits whenever the conversation is busy.
    case file
    /// Waits while the stream is ahead of the clock on the wall.
    case pipe
  }

  /// Seconds of audio kept for the pre-roll and for lost turns of the loop.
  private static let historySeconds: Double = 20

  private let source: any AudioSource
  private let reader: FrameReader
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  private let pacing: Pacing
  private let spotter: KeywordSpotter
  private let conversation: Conversation
  private let dialogue: Dialogue
  private let interruption: Interruption
  private let keeper: Keeper?
  private let watch: VoiceWatch?
  private let performer: Performer
  private let ownVoice: OwnVoice?
  private var began = 0.0

  /// - Parameters:
  ///   - interruption: ends the listening; the open conversation is still brought to its end.
  ///   - keeper: keeps the audio of wakes and near misses; nil for nothing.
  ///   - watch: tells who spoke; nil where no voice is enrolled.
  ///   - ownVoice: keeps what the performer says from being heard; nil where it says nothing, and for recordings.
  init(
    source: any AudioSource, pacing: Pacing, spotter: KeywordSpotter, conversation: Conversation,
    cycle: AssistantCycle, writer: EventWriter, interruption: Interruption, keeper: Keeper?,
    watch: VoiceWatch?, performer: Performer, ownVoice: OwnVoice?
  ) {
    self.source = source
    reader = FrameReader(source)
    self.pacing = pacing
    self.spotter = spotter
    self.conversation = conversation
    self.interruption = interruption
    self.keeper = keeper
    self.watch = watch
    self.performer = performer
    self.ownVoice = ownVoice
    dialogue = Dialogue(
      cycle: cycle, historySeconds: Self.historySeconds, writer: writer, conversation: conversation,
      performer: performer)
  }

  deinit { frame.deallocate() }

  /// Listens until the stream ends, which a microphone's does only when the process is asked to stop.
  func run() throws {
    let dialogue = dialogue
    try conversation.start { dialogue.advance($0) }
    performer.speech.report { fault in
      dialogue.advance(.trouble(code: fault.exitCode.rawValue, message: fault.message))
    }
    try interruption.start(closing: source)
    try keeper?.start()
    try watch?.start()
    began = MonotonicClock.now()
    dialogue.open()
    while true {
      let read = try reader.next(into: frame)
      if read.events.contains(.lost) {
        keeper?.finish(at: dialogue.position, in: dialogue)
        dialogue.advance(.deviceLost)
      }
      if read.events.contains(.recovered) { dialogue.advance(.deviceRecovered) }
      if read.gap > 0 {
        let end = dialogue.position
        report(spotter.skip(read.gap))
        keeper?.finish(at: end, goingOnAt: end + read.gap, in: dialogue)
        dialogue.lose(read.gap)
      }
      if read.count > 0 { hear() }
      while mustWait { usleep(200) }
      if read.isEnd || interruption.isAsked { return finish() }
    }
  }

  private func hear() {
    ownVoice?.clean(frame, at: dialogue.position)
    let hits = spotter.push(UnsafeBufferPointer(frame))
    let activity = spotter.activity
    dialogue.hear(UnsafeBufferPointer(frame), voiced: activity.voiced, level: activity.level)
    report(hits)
    wake(by: watch?.take() ?? [])
    keeper?.hear(spotter, in: dialogue)
  }

  /// Tells the assistant of the spotter's hits; where voices are enrolled, once it is known who spoke.
  private func report(_ hits: Int) {
    for index in 0..<hits {
      let hit = spotter.hit(index)
      if ownVoice?.holds(hit.keyword, at: hit.start..<hit.end) ?? false { continue }
      if let watch {
        let (samples, word) = dialogue.surroundings(of: hit.start..<hit.end)
        watch.ask(hit, samples, word: word)
      } else if dialogue.wake(hit) {
        keeper?.wake(hit)
      }
    }
    if hits > 0, pacing != .live { awaitVoices() }
  }

  private func wake(by verdicts: [VoiceWatch.Verdict]) {
    for verdict in verdicts where dialogue.wake(verdict.hit, by: verdict.speaker) {
      keeper?.wake(verdict.hit)
    }
  }

  /// Waits until it is known who spoke the hits so far, some tens of milliseconds.
  private func awaitVoices() {
    guard let watch else { return }
    while !watch.isIdle { usleep(200) }
    wake(by: watch.take())
  }

  /// The stream's end: what the spotter still holds, then the conversation's last answers.
  private func finish() {
    report(spotter.finish())
    awaitVoices()
    keeper?.finish(at: dialogue.position, in: dialogue)
    dialogue.advance(.streamEnded)
    while !dialogue.isIdle { usleep(500) }
    if interruption.isAsked { performer.speech.stop() }
    while !performer.speech.isIdle { usleep(500) }
    keeper?.close()
  }

  private var mustWait: Bool {
    switch pacing {
    case .live: false
    case .file: !conversation.isIdle || !performer.speech.isIdle
    case .pipe:
      !(conversation.isIdle && performer.speech.isIdle)
        && AudioFormat.seconds(dialogue.position) > MonotonicClock.now() - began
    }
  }
}
