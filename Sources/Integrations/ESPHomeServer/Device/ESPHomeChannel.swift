import Networking
import PCM
import Synchronization
import WyomingServer

/// A client's end of a connection to the device. Any thread may send; messages are encrypted in the order in which they are sent.
final class ESPHomeChannel: SatelliteOwner {
  private struct State {
    var cipher: NoiseCipher?
    var assistant: VoiceAssistant
    var isSubscribed = false
  }

  let client: ServedClient
  private let state: Mutex<State>
  private let phrase: @Sendable (String) -> String

  /// - Parameter phrase: the phrase of a model.
  init(_ client: ServedClient, plays: Bool, phrase: @escaping @Sendable (String) -> String) {
    self.client = client
    self.phrase = phrase
    state = Mutex(State(assistant: VoiceAssistant(plays: plays)))
  }

  var peer: String { client.peer }

  /// Encrypts all that follows.
  func encrypt(with cipher: NoiseCipher) { state.withLock { $0.cipher = cipher } }

  func subscribe() { state.withLock { $0.isSubscribed = true } }

  func send(_ messages: [ServerMessage]) { state.withLock { send(messages, &$0) } }

  /// Sends states if the client has subscribed to them.
  func report(_ states: [EntityState]) {
    state.withLock { if $0.isSubscribed { send(states.map { .state($0) }, &$0) } }
  }

  private func send(_ messages: [ServerMessage], _ state: inout State) {
    var bytes: [UInt8] = []
    for message in messages {
      bytes += state.cipher?.frame(message.frame) ?? message.frame.plain()
    }
    if !bytes.isEmpty { client.send(bytes) }
  }

  func translate<Result: Sendable>(_ body: (inout VoiceAssistant) -> Result) -> Result {
    state.withLock { body(&$0.assistant) }
  }

  // MARK: The owner of the satellite

  func send(_ event: WyomingEvent) {
    state.withLock { send($0.assistant.send(event, phrase: phrase), &$0) }
  }

  func send(_ samples: [Int16], at milliseconds: Int) {
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    send([.voiceAssistantAudio(bytes)])
  }

  func withdraw() { send([.voiceAssistantAbort]) }

  func close() {
    send([.voiceAssistantAbort, .disconnectRequest])
    client.close()
  }
}
