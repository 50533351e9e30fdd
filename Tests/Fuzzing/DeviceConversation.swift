import Networking
import Platform
import WyomingServer

@testable import ESPHomeServer

/// A client of the satellite by ESPHome's native API that sends any sequence of messages, the hotwords that are said meanwhile, and the
/// state machines that answer: those that `ESPHomeClient`, `ESPHomeDevice` and `SatelliteLink` connect with sockets and audio.
struct DeviceConversation {
  private static let words = ["computer", "jarvis", "alexa"].map { WakeWord(id: $0, phrase: "hey \($0)") }

  private var connection = ConnectionState(at: 0)
  private var device = DeviceState(
    Self.words, DeviceMemory(active: ["computer"], sensitivities: [:]), plays: true)
  private var assistant = VoiceAssistant(plays: true)
  private var satellite = SatelliteConversation()
  private var clock = 0.0

  /// Takes the next message of the client; false at the end of the connection.
  mutating func take(_ frame: APIFrame) -> Bool {
    clock += 0.01
    guard let message = try? ClientMessage(frame), let steps = try? connection.take(message, at: clock) else {
      return false
    }
    for step in steps {
      switch step {
      case .send(let message): _ = message.frame.plain()
      case .sendInfo: break
      case .sendEntities: for entity in device.entities { _ = ServerMessage.entity(entity).frame }
      case .sendStates: for state in device.states { _ = ServerMessage.state(state).frame }
      case .command(let command): perform(command)
      case .close: return false
      }
    }
    perform(satellite.listen())
    check()
    return true
  }

  private mutating func perform(_ message: ClientMessage) {
    switch message {
    case .switchCommand(let key, let isOn): note(device.setSwitch(key, isOn))
    case .numberCommand(let key, let value): note(device.setNumber(key, value))
    case .mediaPlayerCommand(let command): note(device.command(command))
    case .voiceAssistantSetConfiguration(let names): note(device.activate(names))
    case .subscribeVoiceAssistant: advance(.received(WyomingEvent("run-satellite")))
    case .voiceAssistantEvent(let event): perform(assistant.take(event))
    case .voiceAssistantAudio(let bytes): perform(assistant.take(audio: bytes))
    case .voiceAssistantTimer(let timer): perform(assistant.take(timer))
    default: break
    }
  }

  private mutating func note(_ actions: [DeviceState.Action]) {
    for action in actions {
      switch action {
      case .mute(let isMuted):
        advance(.muted(isMuted))
        note(device.noteMuted(isMuted))
      case .fetchMedia: note(device.noteMedia(isPlaying: true))
      case .report(let states): for state in states { _ = ServerMessage.state(state).frame.plain() }
      case .setVolume(let percent): precondition((0...100).contains(percent))
      case .listen, .pauseMedia, .resumeMedia, .stopMedia, .save: break
      }
    }
  }

  private mutating func perform(_ steps: [VoiceAssistant.Step]) {
    for case .input(let input) in steps { advance(input) }
  }

  private mutating func advance(_ input: SatelliteSession.Input) { perform(satellite.advance(input)) }

  private mutating func perform(_ actions: [SatelliteConversation.Action]) {
    for action in actions {
      switch action {
      case .send(let event):
        for message in assistant.send(event, phrase: { "hey \($0)" }) { _ = message.frame.plain() }
      case .play:
        note(device.noteSpeaking(true))
        note(device.noteSpeaking(false))
      default: break
      }
    }
  }

  private func check() {
    precondition((0...1).contains(device.memory.volume))
    precondition(device.memory.active.count <= DeviceState.slots)
    precondition(device.memory.active.allSatisfy { name in Self.words.contains { $0.id == name } })
    precondition(device.memory.sensitivities.values.allSatisfy { (0...1).contains($0) })
  }
}
