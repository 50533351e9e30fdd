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
  /// The language of the intents.
  private let language: String
  /// The name of the recognizer; nil without speech to text.
  private let recognizer: String?
  private let agent: ConversationAgent
  private let sentences: RecognizedSentences

  /// Nil for `--wake-only`. Without `--recognizer`, a missing recognizer or one of another language is told, and only sentences in
  /// text are understood.
  ///
  /// - Parameter home: the intents of a home, in place of `--intents`.
  init?(_ arguments: Arguments, home: IntentFile?) throws {
    if arguments.has("--wake-only") {
      for option in ["--recognizer", "--intents", "--handler"] where arguments.has(option) {
        Log.warning("\(option) has no effect with --wake-only")
      }
      return nil
    }
    let names = arguments.all("--recognizer")
    let intents = try home ?? PlugIns.intents(arguments.value("--intents"))
    let sentences = try RecognizedSentences(intents)
    let understander = try Understander(intents)
    _ = try PlugIns.dialogue(understander, file: arguments.value("--intents"))
    let agent = try ConversationAgent(
      understander,
      handler: try Self.handler(
        arguments.all("--handler"), timeout: arguments.number("--handler-timeout", in: 1...300) ?? 10))
    @Sendable func make() throws(AnyFault) -> any Recognizer {
      do {
        return try PlugIns.recognizer(names, of: sentences.current) {
          Log.warning("\($0.message); using the next recognizer")
        }
      } catch let fault as any Fault {
        throw AnyFault(fault)
      } catch {
        preconditionFailure("not a fault: \(error)")
      }
    }
    self.sentences = sentences
    self.agent = agent
    language = intents.language
    let first: any Recognizer
    do throws(AnyFault) {
      first = try make()
      if names.isEmpty, case .unavailable(let fault) = first.availability { throw AnyFault(fault) }
    } catch {
      if !names.isEmpty { throw error }
      Log.note("no speech to text: \(error.message)")
      recognizer = nil
      services = SpokenServices(nil, language: language, agent)
      return
    }
    recognizer = first.name
    let recognizers = RecognizerPool {
      RecognitionRequest(expected: agent.expectedAnswers)
    } make: { () throws(RecognitionFault) in
      do throws(AnyFault) { return try make() } catch { throw .remote(error) }
    }
    let isOther = first.locale.prefix(2).lowercased() != language.prefix(2).lowercased()
    services = SpokenServices(recognizers, language: isOther ? first.locale : language, agent)
    let isWanted = !names.isEmpty || arguments.has("--intents") || arguments.has("--homeassistant")
    if isWanted { try recognizers.prepare() }
  }

  func add(to offered: inout ServerInfo) {
    if let recognizer { offered.offerTranscription(by: recognizer, language: services.language) }
    offered.offerConversation(language: language)
  }

  /// Recognizes and understands the sentences of another intent file in the same language from now on.
  func replace(with intents: IntentFile) throws {
    try agent.replace(with: Understander(intents))
    try sentences.replace(with: intents)
    try services.recognizers?.renew()
  }

  private static func handler(_ names: [String], timeout: Double) throws -> any Handler {
    for name in names {
      if let line = PlugIns.commandLine(name),
        let fault = ConfigurationCheck.fault(ofProgramIn: line, plugIn: name)
      {
        throw fault
      }
    }
    let handlers = try names.map { try PlugIns.handler($0, timeout: timeout) }
    return HandlerChain(handlers + [ClockHandler()]) { Log.warning($0.message) }
  }
}

/// The sentences that recognizers listen for: those of the intents, answers and phrases that stop a reply.
private final class RecognizedSentences: Sendable {
  private let known: Mutex<KnownSentences>

  init(_ intents: IntentFile) throws { known = Mutex(try Self.all(of: intents)) }

  var current: KnownSentences { known.withLock { $0 } }

  func replace(with intents: IntentFile) throws {
    let next = try Self.all(of: intents)
    known.withLock { $0 = next }
  }

  private static func all(of intents: IntentFile) throws -> KnownSentences {
    KnownSentences(try intents.withAnswers().withStopPhrases(StoppingPhrases().all))
  }
}
