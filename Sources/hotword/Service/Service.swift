import Assistant
import AudioCapture
import Detection
import Glibc
import Platform

/// `hotword run`: frames in, events out; the spotter, the history and the assistant's state machine in one loop.
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
  static let historySeconds: Double = 20

  private let reader: FrameReader
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
  private let pacing: Pacing
  private let spotter: KeywordSpotter
  private let history = AudioHistory(seconds: Service.historySeconds)
  private let conversation: Conversation
  private let writer: EventWriter
  private var cycle: AssistantCycle
  private var began = 0.0
  /// The hotword that opened the conversation.
  private var wake: Wake?

  init(
    source: any AudioSource, pacing: Pacing, spotter: KeywordSpotter, conversation: Conversation,
    cycle: AssistantCycle, writer: EventWriter
  ) {
    reader = FrameReader(source)
    self.pacing = pacing
    self.spotter = spotter
    self.conversation = conversation
    self.cycle = cycle
    self.writer = writer
  }

  deinit { frame.deallocate() }

  /// Listens until the stream ends, which a microphone's never does.
  func run() throws {
    began = MonotonicClock.now()
    writer.write(AssistantEvent(at: 0, .ready))
    while true {
      let read = try reader.next(into: frame)
      if read.events.contains(.lost) { advance(.deviceLost) }
      if read.events.contains(.recovered) { advance(.deviceRecovered) }
      if read.gap > 0 {
        history.appendGap(read.gap)
        report(spotter.skip(read.gap))
        advance(.gap(end: history.end))
      }
      if read.count > 0 { hear() }
      takeAnswers()
      while mustWait { waitForConversation() }
      if read.isEnd { return finish() }
    }
  }

  private func hear() {
    history.append(UnsafeBufferPointer(frame))
    let hits = spotter.push(UnsafeBufferPointer(frame))
    advance(.frame(end: history.end, voiced: spotter.activity.voiced, level: spotter.activity.level))
    report(hits)
  }

  /// Tells the assistant of the spotter's hits.
  private func report(_ hits: Int) {
    for index in 0..<hits {
      let hit = spotter.hit(index)
      let wake = Wake(keyword: hit.keyword, start: hit.start, end: hit.end, score: hit.score)
      self.wake = wake
      advance(.woke(wake))
    }
  }

  /// The stream's end: what the spotter still holds, then the conversation's last answers.
  private func finish() {
    report(spotter.finish())
    advance(.streamEnded)
    repeat {
      takeAnswers()
      usleep(500)
    } while cycle.state != .idle
  }

  private var mustWait: Bool {
    switch pacing {
    case .live: false
    case .file: !conversation.isIdle
    case .pipe: !conversation.isIdle && AudioFormat.seconds(history.end) > MonotonicClock.now() - began
    }
  }

  private func waitForConversation() {
    usleep(200)
    takeAnswers()
  }

  private func takeAnswers() {
    while let answer = conversation.answer() { advance(answer) }
  }

  private func advance(_ input: AssistantInput) {
    for action in cycle.advance(input) { perform(action) }
  }

  private func perform(_ action: AssistantAction) {
    switch action {
    case .startRecognizer(let session, let from): conversation.ask(.start(session, from: from))
    case .feed(let session, let range):
      guard let samples = history.read(from: range.lowerBound, to: range.upperBound) else { return }
      conversation.ask(.feed(session, samples))
    case .finishRecognizer(let session): conversation.ask(.finish(session))
    case .cancelRecognizer(let session), .interrupt(let session): conversation.cancel(session)
    case .understand(let session, let text): conversation.ask(.understand(session, text: text))
    case .ask(let session, _): advance(.asked(session, end: history.end))
    case .act(let session): conversation.ask(.act(session, wake))
    case .report(let event): writer.write(event)
    }
  }
}
