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
/// | connected, paused | `run-satellite` | listening | |
/// | listening | detected | waiting | stop playback, and send `played` if there was any; send `detection`; signal |
/// | listening | pressed | waiting | as detected, without `detection` |
/// | waiting | speech | streaming | send `run-pipeline`; stream from the end of the hotword |
/// | waiting | no speech in time; ended | listening | signal |
/// | streaming | frame, gap | streaming | stream, in chunks; (compare) |
/// | streaming | compared: not by the voice | listening | withdraw; signal |
/// | streaming | `voice-stopped`, `transcript`, `error` | listening | signal |
/// | streaming | silence for `silence`; `longest` exceeded; ended | listening | stream the rest, send `audio-stop`; signal |
/// | waiting, streaming | audio started | listening | signal; play |
/// | listening … streaming | `pause-satellite` | paused | (signal) |
/// | paused | a second `pong` | listening | |
/// | connected … streaming, paused | muted | same, waiting and streaming end | stop the ringing of a timer; (withdraw, signal) |
/// | connected … streaming, paused | `timer-finished` | same | ring, and again for a minute, until a hotword, a press, muting or silenced |
/// | any | silenced | same | stop playback and ringing, and send `played` if there was any |
/// | connected … streaming | audio started | same | play |
/// | connected … streaming | played | same | send `played` |
/// | listening | played, or `run-end`, of an answer to continue | waiting | send `played`; signal |
/// | connected … streaming | no `pong` within `pongTimeout` after a ping | same | drop |
/// | connected … streaming, paused | disconnected | disconnected | (signal) |
/// | connected … streaming, paused | stopped | disconnected | drop; (signal) |
///
/// The pipeline starts with the speech: after a hotword that nobody follows, no recognizer runs on silence. Audio that
/// Home Assistant plays during a command is an announcement, for which it has ended the pipeline. A muted Home Assistant
/// answers one ping at most and then is silent; one that is unmuted at once answers on, without `run-satellite`.
///
/// Where only enrolled voices may give orders, the end of an order is sent when it has been compared with the voice that said
/// the hotword: see ``OrderHold``.
///
/// While it is muted here, hotwords and presses are ignored.
///
/// The satellite sends pings once it has received one from Home Assistant. A hotword while waiting or streaming is part of the
/// command.
public struct SatelliteSession: Sendable {
  public struct Settings: Sendable {
    /// Seconds from the hotword within which speech must begin.
    public var noSpeech = 5.0
    /// Seconds of silence after speech that end it here, if Home Assistant has not ended it before.
    public var silence = 3.0
    /// The maximum seconds of audio sent after a hotword.
    public var longest = 30.0
    /// Samples per chunk.
    public var chunk = 1_024
    /// Seconds between pings.
    public var pingInterval = 2.0
    /// Seconds within which a pong must arrive.
    public var pongTimeout = 5.0
    /// Seconds for which an expired timer rings, and from one ring to the next.
    public var ringing = 60.0
    public var ringInterval = 4.0
    /// Whether audio can be played.
    public var plays = true

    public init() {}
  }

  public enum Input: Sendable, Equatable {
    case connected
    case disconnected
    /// An event from Home Assistant.
    case received(WyomingEvent)
    /// The beginning of audio to play.
    case audioStarted
    /// The audio has been played or interrupted.
    case played
    /// After what plays next, or plays, a command is expected as after a hotword.
    case continued
    /// A hotword that ended at the position `end`, and the enrolled voice that said it; `isCompared` if the order must be by it too.
    case detected(name: String, end: SampleIndex, speaker: String? = nil, isCompared: Bool = false)
    /// Whether the order up to `end` may be by the voice: the answer to ``Action/compare(_:with:)``.
    case compared(end: SampleIndex, isAccepted: Bool)
    /// A button in place of a hotword.
    case pressed
    /// What plays, a ringing timer too, is to end.
    case silenced
    /// The microphone is muted here, or not.
    case muted(Bool)
    /// 10 ms of the stream up to `end`.
    case frame(end: SampleIndex, voiced: Bool, level: Float)
    /// Lost samples up to `end`.
    case gap(end: SampleIndex)
    /// The stream has ended.
    case ended
    /// The program is to end.
    case stopped
  }

  public enum Action: Sendable, Equatable {
    case send(WyomingEvent)
    /// Send these samples of the stream in chunks; their timestamps start at `origin`.
    case stream(Range<SampleIndex>, origin: SampleIndex)
    /// Compare these samples of the stream with an enrolled voice; ``Input/compared(end:isAccepted:)`` follows.
    case compare(Range<SampleIndex>, with: String)
    /// Play the audio that has started; ``Input/played`` follows.
    case play
    /// Stop playing.
    case stopPlayback
    case signal(Signal)
    /// End the command that is being sent, so that nothing of it is carried out.
    case withdraw
    /// End the connection.
    case drop
    case log(String)
  }

  /// An event that a sound may announce to the user.
  public enum Signal: Sendable, Equatable {
    /// A command is awaited.
    case opened
    /// The command has ended, or none came.
    case closed
    /// A timer of Home Assistant has expired.
    case timer
  }

  private enum State: Sendable, Equatable {
    case disconnected
    case connected
    case listening
    /// For the speech after a hotword, or after a press without a name.
    case waiting(name: String?, from: SampleIndex)
    /// Samples of `from..<sent` were sent.
    case streaming(from: SampleIndex, sent: SampleIndex)
    case paused(pongs: Int)
  }

  private let settings: Settings
  private var state = State.disconnected
  private var position: SampleIndex = 0
  private var endOfSpeech: EndOfSpeech
  /// What may be sent of an order that is compared; nil for others.
  private var hold: OrderHold?
  /// Why the order ends when it has been compared.
  private var ending: String?
  private var nextPing: SampleIndex?
  private var pongDeadline: SampleIndex?
  /// Audios that are playing, and those whose end was reported when they were interrupted.
  private var playing = 0
  private var interrupted = 0
  /// Whether a command is expected after what plays.
  private var continues = false
  /// Whether the microphone is muted here.
  public private(set) var isMuted = false
  /// When a timer rings again, and when it no longer does.
  private var ringing: (next: SampleIndex, end: SampleIndex)?
  /// Whether Home Assistant has paused the satellite and answers no pings: another connection may take its place.
  public private(set) var isAbandoned = false

  /// Whether Home Assistant has the satellite, and the microphone is muted on neither side.
  public var isListening: Bool {
    switch state {
    case .listening, .waiting, .streaming: !isMuted
    case .disconnected, .connected, .paused: false
    }
  }

  public init(_ settings: Settings = Settings()) {
    self.settings = settings
    var speech = EndOfSpeechSettings()
    speech.noSpeech = settings.noSpeech
    speech.silence = settings.silence
    speech.longest = settings.longest
    endOfSpeech = EndOfSpeech(speech)
  }

  public mutating func advance(_ input: Input) -> [Action] {
    switch input {
    case .connected:
      state = .connected
      nextPing = nil
      pongDeadline = nil
      isAbandoned = false
      return []
    case .disconnected:
      continues = false
      defer { state = .disconnected }
      return closing()
    case .stopped:
      defer { state = .disconnected }
      return state == .disconnected ? [] : [.drop] + closing()
    case .detected(let name, let end, let speaker, let isCompared):
      return detected(name, end, speaker, isCompared)
    case .compared(let end, let isAccepted): return compared(end, isAccepted)
    case .pressed: return pressed()
    case .silenced:
      ringing = nil
      continues = false
      return state == .disconnected ? [.stopPlayback] : interruption()
    case .muted(let isMuted):
      self.isMuted = isMuted
      return isMuted ? endRinging() + withdrawing() : []
    case .frame(let end, let voiced, let level):
      let speech = endOfSpeech.push(voiced: voiced, level: level)
      position = max(position, end)
      return ping() + ring() + move(speech)
    case .gap(let end):
      position = max(position, end)
      return move(nil)
    case .ended: return stop("the input has ended")
    case .audioStarted: return started()
    case .played: return played()
    case .continued:
      continues = state != .disconnected
      return []
    case .received(let event): return state == .disconnected ? [] : received(event)
    }
  }

  private mutating func received(_ event: WyomingEvent) -> [Action] {
    isAbandoned = false
    switch event.type {
    case "run-satellite":
      switch state {
      case .connected, .paused: state = .listening
      default: break
      }
      return [.log("Home Assistant is ready")]
    case "pause-satellite":
      defer { state = .paused(pongs: 0) }
      return closing() + [.log("Home Assistant has paused the satellite")]
    case "voice-stopped": return closingStream()
    case "run-end": return closingStream() + (playing == 0 ? continuation() : [])
    case "transcript":
      return closingStream() + [
        .log("transcript: '\(PlainText.line(event["text"]?.string ?? "", limit: 200))'")
      ]
    case "error":
      return closingStream() + [
        .log("Home Assistant: \(PlainText.line(event["text"]?.string ?? "error", limit: 200))")
      ]
    case "timer-finished":
      ringing = (position, position + AudioFormat.samples(settings.ringing))
      return ring()
    case "ping": if nextPing == nil { nextPing = position + AudioFormat.samples(settings.pingInterval) }
    case "pong": return pong()
    default: break
    }
    return []
  }

  // MARK: Playback

  private mutating func started() -> [Action] {
    guard state != .disconnected else { return [] }
    playing += 1
    return closing() + [.play]
  }

  private mutating func played() -> [Action] {
    if interrupted > 0 {
      interrupted -= 1
      return []
    }
    playing = max(0, playing - 1)
    guard state != .disconnected else { return [] }
    return [.send(WyomingEvent("played"))] + (playing == 0 ? continuation() : [])
  }

  /// Awaits a command if one is expected.
  private mutating func continuation() -> [Action] {
    guard continues else { return [] }
    continues = false
    return pressed()
  }

  /// Home Assistant must know that the answer has ended before the next pipeline starts.
  private mutating func interruption() -> [Action] {
    guard playing > 0 else { return [.stopPlayback] }
    interrupted += playing
    playing = 0
    return [.stopPlayback, .send(WyomingEvent("played"))]
  }

  // MARK: A command

  private mutating func detected(
    _ name: String, _ end: SampleIndex, _ speaker: String?, _ isCompared: Bool
  ) -> [Action] {
    guard state == .listening, !isMuted else { return [] }
    if isCompared, let speaker { hold = OrderHold(speaker: speaker, from: end) }
    let speech = endOfSpeech.begin(lookingBack: max(0, position - end) / AudioFormat.frameLength)
    let milliseconds = JSON.number(Double(end * 1000 / AudioFormat.sampleRate))
    let detection = WyomingEvent(
      "detection",
      [
        JSON.Member("name", .string(name)), JSON.Member("timestamp", milliseconds),
        JSON.Member("speaker", speaker.map { .string($0) } ?? .null),
      ])
    return begin(name, from: end, [.send(detection)]) + move(speech)
  }

  private mutating func pressed() -> [Action] {
    guard state == .listening, !isMuted else { return [] }
    _ = endOfSpeech.begin(lookingBack: 0)
    return begin(nil, from: position, [])
  }

  private mutating func begin(_ name: String?, from: SampleIndex, _ sent: [Action]) -> [Action] {
    state = .waiting(name: name, from: from)
    ringing = nil
    continues = false
    return interruption() + sent + [.signal(.opened)]
  }

  /// - Parameter speech: what the last frame told of the speech; nil for lost samples.
  private mutating func move(_ speech: EndOfSpeech.State?) -> [Action] {
    var actions: [Action] = []
    if case .waiting(let name, let from) = state {
      if case .ended = speech { return stop("no speech") }
      guard endOfSpeech.hasSpeech else { return [] }
      state = .streaming(from: from, sent: from)
      actions = [.send(pipeline(name))]
    }
    guard case .streaming(let from, _) = state else { return [] }
    if AudioFormat.seconds(position - from) >= settings.longest {
      return actions + stop("no transcript within \(JSON.rounded(settings.longest)) s")
    }
    if case .ended = speech { return actions + stop("the speech has ended") }
    if let silent = endOfSpeech.framesSinceSpeech {
      hold?.note(speechUntil: position - silent * AudioFormat.frameLength)
    }
    return actions + feed(all: false) + (hold?.isDue(at: position) == true ? compare() : [])
  }

  private func pipeline(_ name: String?) -> WyomingEvent {
    WyomingEvent(
      "run-pipeline",
      [
        JSON.Member("start_stage", "asr"), JSON.Member("end_stage", settings.plays ? "tts" : "handle"),
        JSON.Member("restart_on_end", false),
      ] + (name.map { [JSON.Member("wake_word_name", .string($0))] } ?? []))
  }

  /// Ends waiting and streaming from this side.
  private mutating func stop(_ reason: String) -> [Action] {
    switch state {
    case .waiting: return closing() + [.log(reason)]
    case .streaming:
      if hold?.isOpen == true {
        ending = reason
        return compare()
      }
      return feed(all: true) + [.send(WyomingEvent("audio-stop"))] + closing() + [.log(reason)]
    case .disconnected, .connected, .listening, .paused: return []
    }
  }

  private mutating func compare() -> [Action] {
    guard case .streaming(let from, _) = state, let speaker = hold?.speaker else { return [] }
    hold?.ask(at: position)
    return [.compare(from..<position, with: speaker)]
  }

  private mutating func compared(_ end: SampleIndex, _ isAccepted: Bool) -> [Action] {
    guard case .streaming(let from, _) = state, hold != nil, end > from else { return [] }
    guard isAccepted else { return withdrawing() }
    hold?.accept(until: end)
    if let ending { return stop(ending) }
    return feed(all: false)
  }

  private mutating func feed(all: Bool) -> [Action] {
    guard case .streaming(let from, let sent) = state else { return [] }
    let end = hold?.limit(at: position) ?? position
    let count = all ? end - sent : (end - sent) / settings.chunk * settings.chunk
    guard count > 0 else { return [] }
    state = .streaming(from: from, sent: sent + count)
    return [.stream(sent..<sent + count, origin: from)]
  }

  /// Ends streaming only: what ends an earlier command does not end the waiting for the next.
  private mutating func closingStream() -> [Action] {
    if case .streaming = state { return closing() }
    return []
  }

  /// Ends waiting and streaming without a word to Home Assistant.
  private mutating func closing() -> [Action] {
    switch state {
    case .waiting, .streaming:
      endOfSpeech.cancel()
      hold = nil
      ending = nil
      state = .listening
      return [.signal(.closed)]
    case .disconnected, .connected, .listening, .paused: return []
    }
  }

  // MARK: Timers

  private mutating func ring() -> [Action] {
    guard let (next, end) = ringing, position >= next else { return [] }
    ringing = position < end ? (position + AudioFormat.samples(settings.ringInterval), end) : nil
    return ringing == nil ? [] : [.signal(.timer)]
  }

  private mutating func endRinging() -> [Action] {
    guard ringing != nil else { return [] }
    ringing = nil
    return [.stopPlayback]
  }

  private mutating func withdrawing() -> [Action] {
    continues = false
    if case .streaming = state { return [.withdraw] + closing() }
    return closing()
  }

  // MARK: Pings

  private mutating func pong() -> [Action] {
    pongDeadline = nil
    guard case .paused(let pongs) = state else { return [] }
    guard pongs > 0 else {
      state = .paused(pongs: pongs + 1)
      return []
    }
    state = .listening
    return [.log("Home Assistant has unmuted the satellite")]
  }

  private mutating func ping() -> [Action] {
    guard state != .disconnected else { return [] }
    if let pongDeadline, position >= pongDeadline {
      self.pongDeadline = nil
      nextPing = nil
      if case .paused = state {
        isAbandoned = true
        return []
      }
      return [.log("Home Assistant does not answer"), .drop]
    }
    guard let nextPing, position >= nextPing else { return [] }
    self.nextPing = position + AudioFormat.samples(settings.pingInterval)
    if pongDeadline == nil { pongDeadline = position + AudioFormat.samples(settings.pongTimeout) }
    return [.send(WyomingEvent("ping"))]
  }
}
