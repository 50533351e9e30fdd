import Assistant
import Networking
import PCM
import Platform

/// A satellite of Home Assistant: detects the hotword here and streams the command there.
///
/// A state machine without sockets, audio or clock: `advance` takes an input and returns the actions, in order. Time is the
/// position in the stream.
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | disconnected | connected | connected | |
/// | connected | `run-satellite` | listening | |
/// | listening | detected | streaming | stop playback; send `detection` and `run-pipeline`; signal; stream from the end of the hotword |
/// | streaming | frame, gap | streaming | stream, in chunks |
/// | streaming | `transcript`, `error` | listening | signal |
/// | streaming | no speech in time; `longest` exceeded; ended | listening | stream the rest, send `audio-stop`; signal |
/// | listening, streaming | `pause-satellite` | connected | (signal) |
/// | connected … streaming | audio | same | play |
/// | connected … streaming | played | same | send `played` |
/// | connected … streaming | disconnected | disconnected | (signal) |
/// | connected … streaming | no `pong` within `pongTimeout` after a ping | same | drop |
///
/// The satellite sends pings once it has received one from Home Assistant. A hotword while streaming is part of the command.
public struct SatelliteSession: Sendable {
  public struct Settings: Sendable {
    /// Seconds from the hotword within which speech must begin.
    public var noSpeech = 5.0
    /// The maximum seconds of audio sent after a hotword.
    public var longest = 30.0
    /// Samples per chunk.
    public var chunk = 1_024
    /// Seconds between pings.
    public var pingInterval = 2.0
    /// Seconds within which a pong must arrive.
    public var pongTimeout = 5.0
    /// Whether audio can be played.
    public var plays = true

    public init() {}
  }

  public enum Input: Sendable, Equatable {
    case connected
    case disconnected
    /// An event from Home Assistant.
    case received(WyomingEvent)
    /// Audio to play, complete.
    case audio([UInt8], AudioShape)
    /// The audio has been played or interrupted.
    case played
    /// A hotword that ended at the position `end`.
    case detected(name: String, end: SampleIndex)
    /// 10 ms of the stream up to `end`.
    case frame(end: SampleIndex, voiced: Bool, level: Float)
    /// Lost samples up to `end`.
    case gap(end: SampleIndex)
    /// The stream has ended.
    case ended
  }

  public enum Action: Sendable, Equatable {
    case send(WyomingEvent)
    /// Send these samples of the stream in chunks; their timestamps start at `origin`.
    case stream(Range<SampleIndex>, origin: SampleIndex)
    /// Play audio; ``Input/played`` follows.
    case play([UInt8], AudioShape)
    /// Stop playing.
    case stopPlayback
    case signal(Signal)
    /// End the connection.
    case drop
    case log(String)
  }

  /// An event that a sound may announce to the user.
  public enum Signal: Sendable, Equatable {
    /// Streaming has begun.
    case opened
    /// Streaming has ended.
    case closed
    /// A timer of Home Assistant has expired.
    case timer
  }

  private enum State: Sendable, Equatable {
    case disconnected
    case connected
    case listening
    /// Samples of `from..<sent` were sent.
    case streaming(from: SampleIndex, sent: SampleIndex)
  }

  private let settings: Settings
  private var state = State.disconnected
  private var position: SampleIndex = 0
  private var endOfSpeech: EndOfSpeech
  /// Whether Home Assistant has detected speech.
  private var hasSpeech = false
  private var nextPing: SampleIndex?
  private var pongDeadline: SampleIndex?

  public init(_ settings: Settings = Settings()) {
    self.settings = settings
    var speech = EndOfSpeechSettings()
    speech.noSpeech = settings.noSpeech
    speech.longest = settings.longest
    endOfSpeech = EndOfSpeech(speech)
  }

  public mutating func advance(_ input: Input) -> [Action] {
    switch input {
    case .connected:
      state = .connected
      nextPing = nil
      pongDeadline = nil
      return []
    case .disconnected:
      defer { state = .disconnected }
      return closing()
    case .detected(let name, let end): return detected(name, end)
    case .frame(let end, let voiced, let level):
      let speech = endOfSpeech.push(voiced: voiced, level: level)
      position = max(position, end)
      return ping() + move(speech)
    case .gap(let end):
      position = max(position, end)
      return move(.speaking)
    case .ended: return stop("the input has ended")
    case .audio(let bytes, let shape): return state == .disconnected ? [] : [.play(bytes, shape)]
    case .played: return state == .disconnected ? [] : [.send(WyomingEvent("played"))]
    case .received(let event): return state == .disconnected ? [] : received(event)
    }
  }

  private mutating func received(_ event: WyomingEvent) -> [Action] {
    switch event.type {
    case "run-satellite":
      if state == .connected { state = .listening }
      return [.log("Home Assistant is ready")]
    case "pause-satellite":
      defer { state = .connected }
      return closing() + [.log("Home Assistant has paused the satellite")]
    case "transcript":
      return closing() + [.log("transcript: '\(PlainText.line(event["text"]?.string ?? "", limit: 200))'")]
    case "error":
      return closing() + [
        .log("Home Assistant: \(PlainText.line(event["text"]?.string ?? "error", limit: 200))")
      ]
    case "voice-started": hasSpeech = true
    case "timer-finished": return [.signal(.timer)]
    case "ping": if nextPing == nil { nextPing = position + AudioFormat.samples(settings.pingInterval) }
    case "pong": pongDeadline = nil
    default: break
    }
    return []
  }

  private mutating func detected(_ name: String, _ end: SampleIndex) -> [Action] {
    guard state == .listening else { return [] }
    state = .streaming(from: end, sent: end)
    hasSpeech = false
    endOfSpeech.begin(lookingBack: max(0, position - end) / AudioFormat.frameLength)
    let milliseconds = JSON.number(Double(end * 1000 / AudioFormat.sampleRate))
    return [
      .stopPlayback,
      .send(
        WyomingEvent(
          "detection",
          [
            JSON.Member("name", .string(name)), JSON.Member("timestamp", milliseconds),
            JSON.Member("speaker", .null),
          ])),
      .send(
        WyomingEvent(
          "run-pipeline",
          [
            JSON.Member("start_stage", "asr"), JSON.Member("end_stage", settings.plays ? "tts" : "handle"),
            JSON.Member("restart_on_end", false), JSON.Member("wake_word_name", .string(name)),
          ])), .signal(.opened),
    ] + feed(all: false)
  }

  private mutating func move(_ speech: EndOfSpeech.State) -> [Action] {
    guard case .streaming(let from, _) = state else { return [] }
    let isTooLong = AudioFormat.seconds(position - from) >= settings.longest
    guard isTooLong || speech == .ended(.noSpeech) && !hasSpeech else { return feed(all: false) }
    let reason = isTooLong ? "no transcript within \(JSON.rounded(settings.longest)) s" : "no speech"
    return stop(reason)
  }

  /// Stops streaming.
  private mutating func stop(_ reason: String) -> [Action] {
    guard case .streaming = state else { return [] }
    return feed(all: true) + [.send(WyomingEvent("audio-stop"))] + closing() + [.log(reason)]
  }

  private mutating func feed(all: Bool) -> [Action] {
    guard case .streaming(let from, let sent) = state else { return [] }
    let count = all ? position - sent : (position - sent) / settings.chunk * settings.chunk
    guard count > 0 else { return [] }
    state = .streaming(from: from, sent: sent + count)
    return [.stream(sent..<sent + count, origin: from)]
  }

  /// Ends the streaming state, if it is active.
  private mutating func closing() -> [Action] {
    guard case .streaming = state else { return [] }
    endOfSpeech.cancel()
    state = .listening
    return [.signal(.closed)]
  }

  private mutating func ping() -> [Action] {
    guard state != .disconnected else { return [] }
    if let pongDeadline, position >= pongDeadline {
      self.pongDeadline = nil
      nextPing = nil
      return [.log("Home Assistant does not answer"), .drop]
    }
    guard let nextPing, position >= nextPing else { return [] }
    self.nextPing = position + AudioFormat.samples(settings.pingInterval)
    if pongDeadline == nil { pongDeadline = position + AudioFormat.samples(settings.pongTimeout) }
    return [.send(WyomingEvent("ping"))]
  }
}
