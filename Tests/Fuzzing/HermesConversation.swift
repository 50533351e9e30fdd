import Assistant
import AudioCapture
import Networking
import PCM
import Platform

@testable import Hermes

/// Messages on the topics of Hermes in any order, and between them what the assistant tells.
///
/// A line is one of them: its first byte chooses a topic or an event, the rest is the payload. `$` in it is the last session.
struct HermesConversation {
  private static let events: [AssistantEvent.Kind] = [
    .wake(Wake(keyword: "computer", start: 0, end: 8_000, score: 0.9), snr: nil), .listening,
    .reply(text: "on"), .error(code: 5, message: "no answer"), .ready,
  ]
  private static let reasons = AssistantEvent.IdleReason.allCases

  private var manager: HermesDialogueManager
  /// What the site's audio is read from.
  private let audio = MessageSource()
  private let topics: [String]
  private var session = ""
  private var position = 0

  init(managesDialogues: Bool) {
    var settings = HermesSettings()
    settings.managesDialogues = managesDialogues
    settings.hotwords = [HermesSettings.Hotword(id: "computer", phrase: "computer", sensitivity: 0.5)]
    manager = HermesDialogueManager(settings, seed: 1)
    topics = settings.topics(audio: true)
  }

  mutating func take(_ line: ArraySlice<UInt8>) {
    guard let first = line.first else { return }
    position += AudioFormat.sampleRate
    let payload = line.dropFirst().flatMap { $0 == UInt8(ascii: "$") ? Array(session.utf8) : [$0] }
    let body = try? JSON(parsing: payload)
    var choice = Int(first)
    if choice < 128 { return advance(.received(MQTTMessage(topics[choice % topics.count], payload))) }
    choice -= 128
    switch choice % 4 {
    case 0: follow(Self.events[choice / 4 % Self.events.count])
    case 1: follow(.idle(Self.reasons[choice / 4 % Self.reasons.count]))
    case 2: body.map { follow(choice / 4 % 2 == 0 ? .transcript(result: $0) : .intent(result: $0)) }
    default: advance(.tick)
    }
  }

  /// Reads the audio that has come.
  func finish() throws {
    audio.close()
    try withUnsafeTemporaryAllocation(of: Int16.self, capacity: AudioFormat.frameLength) { frame in
      while try !audio.read(into: frame).isEnd {}
    }
  }

  private mutating func follow(_ kind: AssistantEvent.Kind) {
    advance(.event(AssistantEvent(at: SampleIndex(position), kind)))
  }

  private mutating func advance(_ input: HermesDialogueManager.Input) {
    for action in manager.advance(input, at: AudioFormat.seconds(SampleIndex(position))) {
      switch action {
      case .publish(let message): session = Self.session(in: message) ?? session
      case .understand(let query):
        // What is understood is any object too.
        advance(
          .understood(query, (try? JSON(parsing: Array(query.text.utf8))) ?? ["text": .string(query.text)]))
      case .audio(let wav): try? audio.push(wav: wav)
      case .detect, .listen, .dismiss, .say, .warn: break
      }
    }
    precondition(manager.queue.count <= HermesDialogueManager.queueLimit)
  }

  /// The session that a published message names; all of them are JSON.
  private static func session(in message: MQTTMessage) -> String? {
    guard let body = try? JSON(parsing: message.payload, depthLimit: 2 * JSON.depthLimit) else {
      preconditionFailure("\(message.topic): not JSON")
    }
    return body["sessionId"]?.string
  }
}
