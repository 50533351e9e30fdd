import AudioCapture
import Platform
import Synchronization

/// Says texts and plays sounds, one after another, on a thread of its own that the first of them starts.
///
/// Any thread may call anything; nothing waits.
public final class SpeechOutput: Sendable {
  public struct Settings: Sendable {
    /// ALSA's name of the device.
    public var device = "default"
    /// Seconds of silence before words.
    public var delay = 0.0
    /// 0…100
    public var volume = 100.0

    public init() {}
  }

  private struct State {
    var queue = SpeechQueue()
    var endings: [SpeechQueue.Ticket: @Sendable (SpeechQueue.Ending) -> Void] = [:]
    var volume: Double
    var audibleVolume: Double
    var isStarted = false
    var report: @Sendable (SpeechFault) -> Void = { _ in }
  }

  /// The samples that the loudspeaker plays, for the echo canceller.
  public let reference = PlaybackReference()
  public let settings: Settings
  let voice: (any SpeechVoice)?
  /// The hotwords in a speech; asked on the player's thread.
  let words: @Sendable ([Int16]) -> [PlaybackReference.Word]
  /// What the thread is to do; nil ends it.
  let inbox = JobQueue<SpeechQueue.Action?>()
  private let state: Mutex<State>

  /// - Parameters:
  ///   - voice: nil for none: words are passed over.
  ///   - words: finds the hotwords in a speech.
  public init(
    _ voice: (any SpeechVoice)?, _ settings: Settings = Settings(),
    words: @escaping @Sendable ([Int16]) -> [PlaybackReference.Word] = { _ in [] }
  ) {
    self.voice = voice
    self.settings = settings
    self.words = words
    let audible = settings.volume > 0 ? settings.volume : 100
    state = Mutex(State(volume: settings.volume, audibleVolume: audible))
  }

  /// Sets who is told, on the player's thread, of what fails.
  public func report(to report: @escaping @Sendable (SpeechFault) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Says `text` after what waits already.
  ///
  /// - Parameter then: called once, on any thread.
  public func say(_ text: String, then: @escaping @Sendable (SpeechQueue.Ending) -> Void = { _ in }) {
    guard voice != nil else { return then(.done) }
    enqueue(.words(text), isUrgent: false, then)
  }

  /// Plays 16 kHz samples after what waits already.
  ///
  /// - Parameter then: called once, on any thread.
  public func play(_ samples: [Int16], then: @escaping @Sendable (SpeechQueue.Ending) -> Void) {
    enqueue(.audio(samples), isUrgent: false, then)
  }

  /// Plays a sound after what waits already.
  ///
  /// - Parameter isUrgent: before words that wait, and while they are paused.
  public func play(_ sound: Sound, isUrgent: Bool = false) {
    enqueue(.sound(sound), isUrgent: isUrgent) { _ in }
  }

  public func pause() { change { $0.pause() } }

  public func resume() { change { $0.resume() } }

  /// Falls silent at once and forgets what waits.
  public func stop() { change { $0.stop() } }

  /// Falls silent and ends the thread; nothing is said or played after it.
  public func close() {
    stop()
    inbox.append(nil)
  }

  /// Whether nothing is being said or waits to be, but for what is paused.
  public var isIdle: Bool { state.withLock { $0.queue.isIdle || $0.queue.isPaused } }

  /// Whether nothing is being said or held, nor waits to be.
  var isDone: Bool { state.withLock { $0.queue.isIdle } }

  /// 0…100
  public var volume: Double {
    get { state.withLock { $0.volume } }
    set {
      state.withLock {
        $0.volume = max(0, min(100, newValue))
        if $0.volume > 0 { $0.audibleVolume = $0.volume }
      }
    }
  }

  /// The volume when it was last above 0; 100 where it never was.
  public var audibleVolume: Double { state.withLock { $0.audibleVolume } }

  func isWanted(_ ticket: SpeechQueue.Ticket) -> Bool { state.withLock { $0.queue.isWanted(ticket) } }

  func tell(_ fault: SpeechFault) { state.withLock { $0.report }(fault) }

  func change(_ body: (inout SpeechQueue) -> [SpeechQueue.Action]) {
    perform { state in body(&state.queue) }
  }

  private func enqueue(
    _ item: SpeechQueue.Item, isUrgent: Bool, _ then: @escaping @Sendable (SpeechQueue.Ending) -> Void
  ) {
    if !startOnce() { return then(.failed) }
    perform { state in
      let (ticket, actions) = state.queue.enqueue(item, isUrgent: isUrgent)
      state.endings[ticket] = then
      return actions
    }
  }

  /// Changes the state; what follows goes to the thread in order, and endings are told here.
  private func perform(_ body: (inout State) -> [SpeechQueue.Action]) {
    let told = state.withLock { state in
      var told: [(@Sendable (SpeechQueue.Ending) -> Void, SpeechQueue.Ending)] = []
      for action in body(&state) {
        if case .tell(let ticket, let ending) = action {
          if let then = state.endings.removeValue(forKey: ticket) { told.append((then, ending)) }
        } else {
          inbox.append(action)
        }
      }
      return told
    }
    for (then, ending) in told { then(ending) }
  }

  private func startOnce() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { return true }
    do throws(SystemFault) {
      try DetachedThread.start { [self] in
        var player = SpeechPlayer(self)
        player.run()
      }
      return true
    } catch {
      state.withLock { $0.isStarted = false }
      return false
    }
  }
}
