import Assistant
import Networking
import PCM
import Platform

/// A satellite of Home Assistant: hears the hotword here, and has the rest done there.
///
/// A state machine without sockets, audio or clock: `advance` takes what happened and returns what to do, in order. Time is
/// the stream's position.
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | apart | connected | connected | |
/// | connected | `run-satellite` | listening | |
/// | listening | woke | streaming | silence; send `detection` and `run-pipeline`; signal; stream from the word's end |
/// | streaming | frame, gap | streaming | stream, in chunks |
/// | streaming | `transcript`, `error` | listening | signal |
/// | streaming | nobody speaks in time; `longest` is over; ended | listening | stream the rest, send `audio-stop`; signal |
/// | listening, streaming | `pause-satellite` | connected | (signal) |
/// | connected … streaming | audio | same | play |
/// | connected … streaming | played | same | send `played` |
/// | connected … streaming | disconnected | apart | (signal) |
/// | connected … streaming | no `pong` for `pongTimeout` after our ping | same | drop |
///
/// Pings of ours begin with the first of Home Assistant's. A hotword while streaming is a part of what is said.
public struct SatelliteSession: Sendable {
  public struct Settings: Sendable {
    /// Seconds for somebody to begin to speak after the hotword.
    public var noSpeech = 5.0
    /// Seconds of audio sent after a hotword at most.
    public var longest = 30.0
    /// Samples in a chunk.
    public var chunk = 1_024
    /// Seconds from ping to ping.
    public var pingInterval = 2.0
    /// Seconds in which a pong must have come.
    public var pongTimeout = 5.0
    /// Whether audio can be played.
    public var plays = true

    public init() {}
  }

  public enum Input: Sendable, Equatable {
    case connected
    case disconnected
    /// What Home Assistant said.
    case received(WyomingEvent)
    /// What it sent to be played is whole.
    case audio([UInt8], AudioShape)
    /// That has been played, or been interrupted.
    case played
    /// A hotword that ended at `end` of the stream.
    case detected(name: String, end: SampleIndex)
    /// 10 ms of the stream up to `end`.
    case frame(end: SampleIndex, voiced: Bool, level: Float)
    /// Lost samples up to `end`.
    case gap(end: SampleIndex)
    /// There is no more of the stream.
    case ended
  }

  public enum Action: Sendable, Equatable {
    case send(WyomingEvent)
    /// Send these samples of the stream in chunks, their times counted from `origin`.
    case stream(Range<SampleIndex>, origin: SampleIndex)
    /// Play audio; answer with ``Input/played``.
    case play([UInt8], AudioShape)
    /// Stop playing.
    case stopPlayback
    case signal(Signal)
    /// End the connection.
    case drop
    case log(String)
  }

  /// What a user may be told by a sound.
  public enum Signal: Sendable, Equatable {
    /// It streams what is said.
    case opened
    /// No longer.
    case closed
    /// A timer of Home Assistant's is over.
    case timer
  }

  private enum State: Sendable, Equatable {
    case apart
    case connected
    case listening
    /// Samples of `from..<sent` were sent.
    case streaming(from: SampleIndex, sent: SampleIndex)
  }

  private let settings: Settings
  private var state = State.apart
  private var position: SampleIndex = 0
  private var endOfSpeech: EndOfSpeech
  /// Whether Home Assistant heard somebody speak.
  private var isSpoken = false
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
      defer { state = .apart }
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
    case .audio(let bytes, let shape): return state == .apart ? [] : [.play(bytes, shape)]
    case .played: return state == .apart ? [] : [.send(WyomingEvent("played"))]
    case .received(let event): return state == .apart ? [] : received(event)
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
      return closing() + [.log("heard '\(PlainText.line(event["text"]?.string ?? "", limit: 200))'")]
    case "error":
      return closing() + [
        .log("Home Assistant: \(PlainText.line(event["text"]?.string ?? "error", limit: 200))")
      ]
    case "voice-started": isSpoken = true
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
    isSpoken = false
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
    guard isTooLong || speech == .ended(.noSpeech) && !isSpoken else { return feed(all: false) }
    let why = isTooLong ? "no transcript within \(JSON.rounded(settings.longest)) s" : "nobody spoke"
    return stop(why)
  }

  /// Gives up what is streamed.
  private mutating func stop(_ why: String) -> [Action] {
    guard case .streaming = state else { return [] }
    return feed(all: true) + [.send(WyomingEvent("audio-stop"))] + closing() + [.log(why)]
  }

  private mutating func feed(all: Bool) -> [Action] {
    guard case .streaming(let from, let sent) = state else { return [] }
    let count = all ? position - sent : (position - sent) / settings.chunk * settings.chunk
    guard count > 0 else { return [] }
    state = .streaming(from: from, sent: sent + count)
    return [.stream(sent..<sent + count, origin: from)]
  }

  /// Ends the streaming, if there is any.
  private mutating func closing() -> [Action] {
    guard case .streaming = state else { return [] }
    endOfSpeech.cancel()
    state = .listening
    return [.signal(.closed)]
  }

  private mutating func ping() -> [Action] {
    guard state != .apart else { return [] }
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
