import Assistant
import Networking
import PCM
import Platform
import Synchronization

/// The loudspeaker of a satellite. Any thread calls it.
public protocol SatelliteOutput: Sendable {
  /// Begins to play what `append` passes until `finish`, while it arrives. Calls `then` once, when it has been played or cannot be.
  func begin(then: @escaping @Sendable () -> Void)
  /// Appends 16 kHz samples.
  func append(_ samples: [Int16])
  /// Ends the samples.
  func finish()
  /// Stops playback; what is still appended is discarded.
  func stop()
  func signal(_ signal: SatelliteSession.Signal)
}

/// Home Assistant's end of a satellite, by one of its protocols. Any thread calls it; no method waits.
public protocol SatelliteOwner: AnyObject, Sendable {
  /// Its address, for messages.
  var peer: String { get }
  func send(_ event: WyomingEvent)
  /// Sends 16 kHz samples of a command, of which the first is `milliseconds` after its beginning.
  func send(_ samples: [Int16], at milliseconds: Int)
  /// Ends the command, so that nothing of it is carried out.
  func withdraw()
  func close()
}

/// The satellite's session, its audio history and the connection that owns it, shared by the listening loop and the server.
///
/// Each input advances the session under one lock; the resulting events are sent in order before the next input.
public final class SatelliteLink: Sendable {
  /// Seconds of audio kept: more than the delay from the end of a hotword to its detection.
  private static let historySeconds = 5.0

  /// Used only under the lock.
  private struct State: @unchecked Sendable {
    var session: SatelliteSession
    var events: SatelliteEvents
    let history: AudioHistory
    var owner: (any SatelliteOwner)?
    let chunk: Int
  }

  private let state: Mutex<State>
  private let speaker: any SatelliteOutput
  private let isBy: (@Sendable ([Int16], String) -> Bool)?
  private let tell: @Sendable (SatelliteEvent, SampleIndex) -> Void
  private let log: @Sendable (String) -> Void

  /// - Parameters:
  ///   - isBy: whether an order may be spoken by an enrolled voice; nil if orders are not compared.
  ///   - tell: called with the events for programs, in their order, and their positions in the stream; it must not wait.
  ///   - log: called with messages for people.
  public init(
    _ settings: SatelliteSession.Settings, speaker: any SatelliteOutput,
    isBy: (@Sendable (_ order: [Int16], _ name: String) -> Bool)? = nil,
    tell: @escaping @Sendable (SatelliteEvent, SampleIndex) -> Void = { _, _ in },
    log: @escaping @Sendable (String) -> Void
  ) {
    self.tell = tell
    state = Mutex(
      State(
        session: SatelliteSession(settings), events: SatelliteEvents(plays: settings.plays),
        history: AudioHistory(seconds: isBy == nil ? Self.historySeconds : OrderCheck.longest),
        chunk: settings.chunk))
    self.speaker = speaker
    self.isBy = isBy
    self.log = log
  }

  /// Appends the next frame of the stream, with the voice flag and the level of the front end.
  public func append(_ frame: UnsafeBufferPointer<Int16>, voiced: Bool, level: Float) {
    advance { state in
      state.history.append(frame)
      return .frame(end: state.history.end, voiced: voiced, level: level)
    }
  }

  /// Records that `count` samples of the stream are lost.
  public func appendGap(_ count: Int) {
    advance { state in
      state.history.appendGap(count)
      return .gap(end: state.history.end)
    }
  }

  /// - Parameter speaker: the enrolled voice that said the hotword; nil if unknown.
  /// - Returns: whether a command is awaited now: Home Assistant is connected, and nothing is muted or being spoken.
  public func wake(_ name: String, end: SampleIndex, speaker: String?) -> Bool {
    advance { _ in .detected(name: name, end: end, speaker: speaker, isCompared: isBy != nil) }
      .contains(.signal(.opened))
  }

  /// Listens as after a hotword.
  public func press() { advance { _ in .pressed } }

  /// Mutes the microphone, or no longer.
  public func mute(_ isMuted: Bool) { advance { _ in .muted(isMuted) } }

  /// Ends what plays.
  public func silence() { advance { _ in .silenced } }

  /// The position in the stream.
  public var position: SampleIndex { state.withLock { $0.events.position } }

  /// Whether Home Assistant is connected.
  public var isConnected: Bool { state.withLock { $0.owner != nil } }

  /// The address of Home Assistant; nil if it is not connected.
  public var peer: String? { state.withLock { $0.owner?.peer } }

  public var isMuted: Bool { state.withLock { $0.session.isMuted } }

  /// Whether Home Assistant has the satellite, and the microphone is muted on neither side.
  public var isListening: Bool { state.withLock { $0.session.isListening } }

  /// Ends the stream.
  public func finish() { advance { _ in .ended } }

  /// Disconnects Home Assistant, so that a command that is not complete is not carried out.
  public func stop() { advance { _ in .stopped } }

  /// Makes `client` the owner if there is none, or one that has paused the satellite and answers nothing.
  ///
  /// - Returns: whether it is the owner.
  public func claim(by client: any SatelliteOwner) -> Bool {
    let last = state.withLock { state in
      let owner = state.owner
      if owner == nil || state.session.isAbandoned { state.owner = client }
      return owner
    }
    guard isOwned(by: client) else { return false }
    if last !== client {
      if let last {
        last.close()
        advance { _ in .disconnected }
      }
      log("\(client.peer) has connected to the satellite")
      advance { _ in .connected }
    }
    return true
  }

  public func isOwned(by client: any SatelliteOwner) -> Bool { state.withLock { $0.owner === client } }

  public func release(_ client: any SatelliteOwner) {
    let wasOwner = state.withLock { state in
      guard state.owner === client else { return false }
      state.owner = nil
      return true
    }
    guard wasOwner else { return }
    log("\(client.peer) has disconnected from the satellite")
    advance { _ in .disconnected }
  }

  public func handle(_ input: SatelliteSession.Input) { advance { _ in input } }

  /// Plays samples of the audio that has started.
  public func play(_ samples: [Int16]) { speaker.append(samples) }

  /// Ends the audio that has started.
  public func endAudio() { speaker.finish() }

  /// - Returns: the actions that do not send anything to the owner.
  @discardableResult
  private func advance(_ input: (inout State) -> SatelliteSession.Input) -> [SatelliteSession.Action] {
    // Playback is started without the lock: it may call back at once.
    let rest = state.withLock { state in
      let input = input(&state)
      let actions = state.session.advance(input)
      for event in state.events.note(input, actions) { tell(event, state.events.position) }
      return actions.filter { !perform($0, &state) }
    }
    for action in rest { perform(action) }
    return rest
  }

  /// Performs an action that sends to the owner.
  ///
  /// - Returns: false for other actions.
  private func perform(_ action: SatelliteSession.Action, _ state: inout State) -> Bool {
    switch action {
    case .send(let event): state.owner?.send(event)
    case .stream(let range, let origin): stream(range, origin, state)
    case .withdraw: state.owner?.withdraw()
    case .drop: state.owner?.close()
    case .compare, .play, .stopPlayback, .signal, .log: return false
    }
    return true
  }

  private func perform(_ action: SatelliteSession.Action) {
    switch action {
    case .compare(let range, let name):
      // It takes milliseconds, in which clients must not wait for the lock.
      let isAccepted = isBy?(order(range), name) ?? true
      handle(.compared(end: range.upperBound, isAccepted: isAccepted))
    case .play: speaker.begin { [self] in handle(.played) }
    case .stopPlayback: speaker.stop()
    case .signal(let signal): speaker.signal(signal)
    case .log(let text): log(text)
    case .send, .stream, .withdraw, .drop: break
    }
  }

  /// The samples of an order, of a long one the last that are kept.
  private func order(_ range: Range<SampleIndex>) -> [Int16] {
    state.withLock { state in
      state.history.read(from: max(range.lowerBound, state.history.start), to: range.upperBound) ?? []
    }
  }

  private func stream(_ range: Range<SampleIndex>, _ origin: SampleIndex, _ state: State) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: state.chunk) {
      let end = min(start + state.chunk, range.upperBound)
      let samples = state.history.read(from: start, to: end) ?? [Int16](repeating: 0, count: end - start)
      state.owner?.send(samples, at: (start - origin) * 1000 / AudioFormat.sampleRate)
    }
  }
}
