import Assistant
import AudioCapture
import Configuration
import Detection
import Glibc
import PCM
import Platform
import Supervision
import Understanding

/// The one consumer of the service: owns the assistant's state machine, the audio history and the outputs.
///
/// It receives events from an ``EventQueue`` and the records of the listening thread from a ``ListeningRing``, and handles
/// one at a time. It takes no lock while it does so, and nothing it calls waits: recognizers, handlers, speech, clips,
/// MQTT and standard output have queues and threads of their own. Live audio never waits for it. Audio from a file or a
/// pipe waits while the conversation is busy, so that the events do not depend on the machine's speed.
package final class ServiceLoop {
  /// Seconds of audio that are kept for the pre-roll and for clips.
  static let historySeconds: Double = 20

  /// Seconds that the audio source has to end once the process is requested to stop.
  private static let sourceSeconds = 0.3

  let pacing: Pacing
  let queue: EventQueue
  let room: ThreadSignal
  package let listener: Listener
  let events: EventOutput
  let supervisor: ServiceSupervisor
  let bridge: HermesBridge?
  /// nil if nothing shows it.
  let live: LiveTap?
  var metrics: ServiceMetrics { supervisor.metrics }

  var components: ServiceComponents
  /// What a reload has prepared and waits for the conversation to end.
  var prepared: ServiceComponents?
  /// What the listening thread uses, and its models.
  var spotter: any HotwordSpotting
  var modelIdentity: ModelSelection.Identity?
  /// The names of the spotters' models; a record says by which of them its model counts.
  var generations: [[StreamMetrics.Keyword]]

  var cycle: AssistantCycle
  let history = AudioHistory(seconds: ServiceLoop.historySeconds)
  /// The hotword that opened the conversation, or was said in it.
  var wake: Wake?
  /// Who speaks, as far as that hotword shows it.
  var voice = TurnSpeaker.undetermined
  /// Where the audio of the recognizer's session begins.
  var orderStart = 0
  /// The session whose prompt has been spoken; the next frame brings it to the state machine.
  var asked: Session?
  /// Jobs of the conversation worker, and hotwords whose speaker is being identified, without results yet.
  var jobs = 0
  var identifying = 0
  /// Whether hotwords count: a dialogue manager on the broker may turn them off.
  var isDetecting = true
  /// When the stream ended that far, on the monotonic clock.
  private var heard = (end: 0, time: 0.0)
  /// Whether the device is lost, so that the clock tells how far the stream would be.
  private var isLost = false
  /// Whether the stream is over.
  var isOver = false
  /// When the process was requested to stop, on the monotonic clock.
  var stopped: Double?
  /// Why the service ends before its stream does.
  var failure: (any Fault)?
  var isAbandoned = false
  private var began = 0.0
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)

  /// - Parameters:
  ///   - components: with their threads started.
  ///   - bridge: the MQTT broker; nil without one.
  ///   - live: is filled for a page; nil without one.
  package init(
    source: any AudioSource, pacing: Pacing, components: ServiceComponents, bridge: HermesBridge?,
    events: EventOutput, queue: EventQueue, supervisor: ServiceSupervisor, live: LiveTap? = nil
  ) throws {
    self.pacing = pacing
    self.components = components
    self.bridge = bridge
    self.events = events
    self.queue = queue
    self.supervisor = supervisor
    self.live = live
    room = try ThreadSignal()
    listener = Listener(
      source, isLive: pacing == .live, spotter: components.spotter, echo: components.echo, queue: queue,
      room: room, metrics: supervisor.metrics.stream, heartbeat: supervisor.heartbeat,
      scores: live?.scores)
    cycle = AssistantCycle(components.cycle)
    spotter = components.spotter
    modelIdentity = components.modelIdentity
    generations = [components.spotter.models.map { supervisor.metrics.stream.keyword($0.name) }]
    live?.use(components.spotter, components.settings)
  }

  deinit { frame.deallocate() }

  /// Listens until the stream ends, which a microphone's does only when the process is requested to stop.
  ///
  /// - Throws: the fault of the audio source or of standard output.
  package func run() throws {
    began = MonotonicClock.now()
    heard.time = began
    report(AssistantEvent(at: 0, .ready))
    supervisor.ready(keywords)
    try supervisor.start()
    LoadedCode.release()
    try listener.start()
    while !isOver, !isAbandoned {
      handleEvents()
      if let stopped, MonotonicClock.now() >= stopped + Self.sourceSeconds { break }
      commitReload()
      if isLost { goOnWithoutAudio() }
      if mayTakeAudio, let record = listener.ring.read(into: frame) {
        handle(record)
        if pacing != .live { room.send() }
      } else if !isAbandoned {
        supervisor.heartbeat.round()
        queue.wait(until: deadline)
      }
    }
    if !isAbandoned { finish() }
    if let failure { throw failure }
  }

  /// Handles all events that have come.
  func handleEvents() {
    while let event = queue.take() { handle(event) }
  }

  /// When the loop looks around without an event.
  private var deadline: Double {
    let now = MonotonicClock.now()
    if let stopped { return stopped + Self.sourceSeconds }
    let ahead = pacing == .pipe && isBusy ? began + AudioFormat.seconds(history.end) : .infinity
    return min(now + 1, max(now + 0.001, ahead))
  }

  /// Whether a job or something that is played has not ended.
  var isBusy: Bool { jobs > 0 || !components.output.isIdle }

  private var mayTakeAudio: Bool {
    guard pacing != .live, stopped == nil else { return true }
    guard identifying == 0, !events.isFull else { return false }
    guard isBusy else { return true }
    return pacing == .pipe && AudioFormat.seconds(history.end) <= MonotonicClock.now() - began
  }

  // MARK: Events

  private func handle(_ event: ServiceEvent) {
    switch event {
    case .result(let input):
      note(input)
      advance(input)
    case .jobDone(let session):
      jobs -= 1
      if let session { advance(.recognizerAdvanced(session)) }
    case .played(let output, let session, let ending):
      output.finished()
      if let session, ending != .interrupted { asked = session }
    case .identified(let result):
      identifying -= 1
      if result.isAccepted { advance(.woke(result.wake)) }
    case .prepared(let new):
      prepared?.close()
      prepared = new
    case .hermes(let request): perform(request)
    case .sensitivity(let sensitivity, let model): setSensitivity(sensitivity, of: model)
    case .stop:
      if stopped == nil { stopped = MonotonicClock.now() }
    case .captureFailed(let fault):
      failure = fault
      isOver = true
    case .outputFailed(let code):
      // A reader that is gone ends the service without an error, as with other programs in a pipe.
      if code != EPIPE { failure = ServiceFault.cannotWriteOutput(code: code) }
      isAbandoned = true
    }
  }

  private func perform(_ request: HermesBridge.Request) {
    switch request {
    case .detect(false):
      isDetecting = false
      metrics.stream.isDetecting.set(0)
    // Hotwords count again once the detector has restarted.
    case .detect(true): listener.control.restart()
    case .listen(let prompt, let goal): advance(.summoned(prompt: prompt, goal))
    case .dismiss(let wantsResult): advance(.dismissed(wantsResult: wantsResult))
    case .say(let text): components.output.say(text)
    }
  }

  private func note(_ input: AssistantInput) {
    switch input {
    case .recognitionFailed: metrics.fail(.recognition)
    case .understandingFailed: metrics.fail(.understanding)
    case .handlingFailed: metrics.fail(.handling)
    default: break
    }
  }

  // MARK: Records

  private func handle(_ record: ListeningRecord) {
    // A file or a pipe is not read on when the process is requested to stop.
    if stopped != nil, pacing != .live, record.kind != .end { return }
    switch record.kind {
    case .frame: take(record)
    case .gap:
      components.recorder.finish(history, goingOnAt: history.end + record.count)
      history.appendGap(record.count)
      heard = (history.end, MonotonicClock.now())
      ring(at: history.end)
      advance(.gap(end: history.end))
      metrics.stream.gaps.add()
      metrics.stream.lost.add(record.count)
    case .deviceLost:
      components.recorder.finish(history)
      advance(.deviceLost)
      metrics.stream.deviceLosses.add()
      isLost = true
    case .deviceRecovered:
      isLost = false
      advance(.deviceRecovered)
    case .overrun: metrics.stream.overruns.add()
    case .hit: if isDetecting { take(hit: record) }
    case .nearMiss:
      guard isDetecting else { return }
      let keyword = generations[record.generation][record.model]
      keyword.nearMisses.add()
      components.recorder.noteNearMiss(keyword.name, score: record.score, end: record.end)
    case .restarted:
      isDetecting = true
      metrics.stream.isDetecting.set(1)
    case .end: isOver = true
    }
  }

  /// After a question has been asked, its answer begins here.
  func takeAnswer() {
    guard let asked else { return }
    self.asked = nil
    advance(.asked(asked, end: history.end))
  }

  private func take(_ record: ListeningRecord) {
    takeAnswer()
    metrics.stream.heard.add(AudioFormat.frameLength)
    history.append(UnsafeBufferPointer(frame))
    heard = (history.end, MonotonicClock.now())
    live?.take(
      UnsafeBufferPointer(frame), isVoiced: record.isVoiced, level: record.level, end: history.end,
      models: generations.last?.count ?? 0)
    ring(at: history.end)
    advance(.frame(end: history.end, voiced: record.isVoiced, level: record.level))
    components.recorder.advance(history)
  }

  private func take(hit record: ListeningRecord) {
    let keyword = generations[record.generation][record.model].name
    let word = record.start..<record.end
    var wake = Wake(keyword: keyword, start: record.start, end: record.end, score: record.score)
    let heard = max(word.lowerBound, history.start)
    if heard < word.upperBound, let samples = history.read(from: heard, to: history.end) {
      wake.commandStart = heard + HotwordRemainder.commandStart(samples, end: word.upperBound - heard)
    }
    guard let identifier = components.identifier else { return advance(.woke(wake)) }
    let range = HeardStream.range(around: word, until: history.end).clamped(to: history.start..<history.end)
    let samples = history.read(from: range.lowerBound, to: range.upperBound) ?? []
    identifying += 1
    identifier.add(wake, samples, word: HeardStream.place(of: word, in: range))
  }

  /// What does not wait for a lost device: timers, the listening after a question, and the ends of conversations.
  private func goOnWithoutAudio() {
    let position = heard.end + AudioFormat.samples(MonotonicClock.now() - heard.time)
    ring(at: position)
    takeAnswer()
    advance(.waited(until: position))
  }

  /// Lets the timers ring that are over at `position`.
  private func ring(at position: SampleIndex) {
    for result in components.output.advance(to: position) { advance(.rang(result: result)) }
  }
}
