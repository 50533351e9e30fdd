import Actions
import Assistant
import CommandLineParsing
import Dialogue
import Platform
import Recognition
import Service
import Synchronization
import Understanding
import WyomingServer

/// The speech to text and the understanding that a server offers.
final class SpeechOffer: Sendable {
  let services: SpokenServices
  private let recognizer: String
  private let language: String
  private let agent: ConversationAgent
  private let recognizers: RecognizerPool
  private let sentences: RecognizedSentences

  /// Nil for `--wake-only`, and where no recognizer is installed and the options name none.
  ///
  /// - Parameter home: the intents of a home, in place of `--intents`.
  init?(_ arguments: Arguments, home: IntentFile?) throws {
    if arguments.has("--wake-only") { return nil }
    let names = arguments.all("--recognizer")
    let intents = try home ?? PlugIns.intents(arguments.value("--intents"))
    let sentences = try RecognizedSentences(intents)
    self.sentences = sentences
    let isWanted = !names.isEmpty || arguments.has("--intents") || arguments.has("--homeassistant")
    @Sendable func make() throws -> any Recognizer {
      try PlugIns.recognizer(names, intents: sentences.current) {
        Log.warning("\($0.message); using the next recognizer")
      }
    }
    let first = try make()
    if !isWanted, case .unavailable(let fault) = first.availability {
      Log.note("no speech to text: \(fault.message)")
      return nil
    }
    recognizer = first.name
    let isOther = first.locale.prefix(2).lowercased() != intents.language.prefix(2).lowercased()
    language = isOther ? first.locale : intents.language
    let agent = try ConversationAgent(
      Understander(intents), handler: try Self.handler(arguments.all("--handler")))
    recognizers = RecognizerPool {
      RecognitionRequest(expected: agent.expectedAnswers)
    } make: { () throws(RecognitionFault) in
      do {
        return try make()
      } catch let fault as any Fault {
        throw .remote(AnyFault(fault))
      } catch {
        preconditionFailure("not a fault: \(error)")
      }
    }
    self.agent = agent
    services = SpokenServices(recognizers, language: language, agent)
    if isWanted { try recognizers.prepare() }
  }

  func add(to offered: inout ServerInfo) {
    offered.offerTranscription(by: recognizer, language: language)
    offered.offerConversation(language: language)
  }

  /// Recognizes and understands the sentences of another intent file in the same language from now on.
  func replace(with intents: IntentFile) throws {
    try agent.replace(with: Understander(intents))
    try sentences.replace(with: intents)
    try recognizers.renew()
  }

  private static func handler(_ names: [String]) throws -> any Handler {
    let handlers = try names.map { try PlugIns.handler($0, timeout: 30) }
    return HandlerChain(handlers + [ClockHandler()]) { Log.warning($0.message) }
  }
}

/// The sentences that recognizers listen for: those of the intents, answers and phrases that stop a reply.
private final class RecognizedSentences: Sendable {
  private let file: Mutex<IntentFile>

  init(_ intents: IntentFile) throws { file = Mutex(try Self.all(of: intents)) }

  var current: IntentFile { file.withLock { $0 } }

  func replace(with intents: IntentFile) throws {
    let next = try Self.all(of: intents)
    file.withLock { $0 = next }
  }

  private static func all(of intents: IntentFile) throws -> IntentFile {
    try intents.withAnswers().withStopPhrases(StoppingPhrases().all)
  }
}
