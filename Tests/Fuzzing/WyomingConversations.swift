import Networking
import PCM
import Platform

@testable import WyomingServer

/// The audio of a Wyoming client, converted as the servers do; the number of its frames is all that counts here.
struct ClientAudio {
  private var converter: ChunkConverter?
  private(set) var frames = 0

  mutating func process(_ bytes: [UInt8], _ shape: AudioShape) {
    if converter?.shape != shape {
      finish()
      converter = ChunkConverter(shape)
    }
    converter?.push(bytes[...]) { frames += $0.count / AudioFormat.frameLength }
  }

  mutating func finish() {
    converter?.finish { frames += $0.count / AudioFormat.frameLength }
    converter = nil
  }
}

/// A client of the wake word server, in whose audio there is a hotword every half second.
struct WakeConversation {
  private var session = WakeSession()
  private var audio = ClientAudio()
  private var reported = 0

  mutating func take(_ event: WyomingEvent) {
    for action in session.handle(event) {
      switch action {
      case .send(let event), .refuse(let event): _ = event.encoded()
      case .process(let bytes, let shape): audio.process(bytes, shape)
      case .finish:
        audio.finish()
        report()
        for event in session.finished() { _ = event.encoded() }
      case .start: audio.finish()
      case .sendInfo, .select: break
      }
    }
    report()
  }

  private mutating func report() {
    guard audio.frames / 50 > reported else { return }
    reported = audio.frames / 50
    let end = SampleIndex(audio.frames * AudioFormat.frameLength)
    _ = session.detection(of: "computer", endingAt: end, by: reported % 2 == 0 ? "ann" : nil).encoded()
    if reported % 3 == 0 { session.withdraw() }
  }
}

/// A client of the speech-to-text server.
struct TranscriptionConversation {
  private var session = TranscriptionSession(language: "en-US")
  private var audio = ClientAudio()

  mutating func take(_ event: WyomingEvent) {
    for action in session.handle(event) {
      switch action {
      case .send(let event), .refuse(let event): _ = event.encoded()
      case .process(let bytes, let shape): audio.process(bytes, shape)
      case .begin, .finish: audio.finish()
      }
    }
  }
}

/// A satellite with what is said to it, and what it tells of that.
struct SatelliteConversation {
  typealias Action = SatelliteSession.Action

  private var session = SatelliteSession()
  private var events = SatelliteEvents()
  private var audio = ClientAudio()
  private var position = 0

  init() { _ = session.advance(.connected) }

  /// Takes an event of Home Assistant by the Wyoming protocol, or one that stands for a person's hand.
  mutating func take(_ event: WyomingEvent) {
    switch event.type {
    case "audio-start": _ = advance(.audioStarted)
    case "audio-chunk": AudioShape(event, or: .standard).map { audio.process(event.payload, $0) }
    case "audio-stop": audio.finish()
    case "pressed": _ = advance(.pressed)
    case "silenced": _ = advance(.silenced)
    case "muted": _ = advance(.muted(true))
    case "unmuted": _ = advance(.muted(false))
    case "continued": _ = advance(.continued)
    default: _ = advance(.received(event))
    }
    _ = listen()
  }

  /// What the satellite does, also after what it does itself.
  mutating func advance(_ input: SatelliteSession.Input) -> [Action] {
    var actions = session.advance(input)
    for event in events.note(input, actions) { _ = event.json }
    for action in actions {
      switch action {
      case .send(let event): _ = event.encoded()
      case .play: actions += advance(.played)
      case .compare(let order, _):
        actions += advance(.compared(end: order.upperBound, isAccepted: order.upperBound % 9_600 != 0))
      default: break
      }
    }
    return actions
  }

  /// A fifth of a second of speech, now and then with a hotword, of which every second is by an enrolled voice.
  mutating func listen() -> [Action] {
    position += 3_200
    var actions: [Action] = []
    if position % 9_600 == 0 {
      let isCompared = position % 19_200 == 0
      actions += advance(.detected(name: "computer", end: position, speaker: "ann", isCompared: isCompared))
    }
    return actions + advance(.frame(end: position, voiced: position % 32_000 < 16_000, level: -30))
  }
}
