import AudioCapture
import Platform
import Synchronization

/// Speaks texts and plays sounds, one after another, on a thread of its own that the first of them starts.
///
/// Any thread may call any method. No method waits for the player.
public final class SpeechOutput: Sendable {
  public struct Settings: Sendable {
    /// The ALSA name of the device.
    public var device = "default"
    /// Seconds of silence before speech.
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
  let words: (any PlaybackWords)?
  /// The actions of the thread; nil ends it.
  let inbox = JobQueue<SpeechQueue.Action?>()
  private let state: Mutex<State>

  /// - Parameters:
  ///   - voice: nil for none: texts are skipped.
  ///   - words: finds the hotwords in speech; nil for none.
  public init(
    _ voice: (any SpeechVoice)?, _ settings: Settings = Settings(),
    words: (any PlaybackWords)? = nil
  ) {
    self.voice = voice
    self.settings = settings
    self.words = words
    let audible = settings.volume > 0 ? settings.volume : 100
    state = Mutex(State(volume: settings.volume, audibleVolume: audible))
  }

  /// Sets the function that is called with errors, on the player's thread.
  public func report(to report: @escaping @Sendable (SpeechFault) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Speaks `text` after what is already queued.
  ///
  /// - Parameter then: called once, on any thread.
  public func say(_ text: String, then: @escaping @Sendable (SpeechQueue.Ending) -> Void = { _ in }) {
    guard voice != nil else { return then(.done) }
    enqueue(.words(text), isUrgent: false, then)
  }

  /// Plays a stream after what is already queued, while it arrives. A stream that brings nothing for ten seconds ends.
  ///
  /// - Parameters:
  ///   - isUrgent: as for a sound.
  ///   - then: called once, on any thread.
  public func play(
    _ stream: SpeechStream, isUrgent: Bool = false,
    then: @escaping @Sendable (SpeechQueue.Ending) -> Void
  ) {
    enqueue(.stream(stream), isUrgent: isUrgent, then)
  }

  /// Plays a sound after what is already queued.
  ///
  /// - Parameters:
  ///   - isUrgent: whether it is played before queued speech, and while speech is paused.
  ///   - then: called once, on any thread.
  public func play(
    _ sound: Sound, isUrgent: Bool = false,
    then: @escaping @Sendable (SpeechQueue.Ending) -> Void = { _ in }
  ) {
    enqueue(.sound(sound), isUrgent: isUrgent, then)
  }

  public func pause() { change { $0.pause() } }

  public func resume() { change { $0.resume() } }

  /// Stops the playback at once and empties the queue.
  public func stop() { change { $0.stop() } }

  /// Stops urgent items; the others stay as they are.
  public func stopUrgent() { change { $0.stopUrgent() } }

  /// Stops items that are not urgent.
  public func stopOthers() { change { $0.stopOthers() } }

  /// Stops the playback and ends the thread; later calls have no effect.
  public func close() {
    stop()
    inbox.append(nil)
  }

  /// Whether nothing is playing or queued, except for what is paused.
  public var isIdle: Bool { state.withLock { $0.queue.isIdle || $0.queue.isPaused } }

  /// Whether nothing is playing, paused or queued.
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

  /// The last volume above 0; 100 if there was none.
  public var audibleVolume: Double { state.withLock { $0.audibleVolume } }

  func isWanted(_ ticket: SpeechQueue.Ticket) -> Bool { state.withLock { $0.queue.isWanted(ticket) } }

  func isLast(_ ticket: SpeechQueue.Ticket) -> Bool { state.withLock { $0.queue.isLast(ticket) } }

  func report(_ fault: SpeechFault) { state.withLock { $0.report }(fault) }

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

  /// Changes the state. The actions go to the thread in order; endings are reported here.
  private func perform(_ body: (inout State) -> [SpeechQueue.Action]) {
    let ended = state.withLock { state in
      var ended: [(@Sendable (SpeechQueue.Ending) -> Void, SpeechQueue.Ending)] = []
      for action in body(&state) {
        if case .report(let ticket, let ending) = action {
          if let then = state.endings.removeValue(forKey: ticket) { ended.append((then, ending)) }
        } else {
          inbox.append(action)
        }
      }
      return ended
    }
    for (then, ending) in ended { then(ending) }
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
