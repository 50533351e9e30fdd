import Actions
import Assistant
import CommandLineParsing
import Dialogue
import Platform
import Recognition
import Service
import Understanding
import WyomingServer

/// The speech to text and the understanding that a server offers.
struct SpeechOffer {
  let services: SpokenServices
  private let recognizer: String
  private let language: String

  /// Nil for `--wake-only`, and where no recognizer is installed and the options name none.
  init?(_ arguments: Arguments) throws {
    if arguments.has("--wake-only") { return nil }
    let names = arguments.all("--recognizer")
    let intents = try PlugIns.intents(arguments.value("--intents"))
    let sentences = try intents.withAnswers().withStopPhrases(StoppingPhrases().all)
    let isWanted = !names.isEmpty || arguments.has("--intents")
    @Sendable func make() throws -> any Recognizer {
      try PlugIns.recognizer(names, intents: sentences) {
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
    let recognizers = RecognizerPool {
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
    services = SpokenServices(recognizers, language: language, agent)
    if isWanted { try recognizers.prepare() }
  }

  func add(to offered: inout ServerInfo) {
    offered.offerTranscription(by: recognizer, language: language)
    offered.offerConversation(language: language)
  }

  private static func handler(_ names: [String]) throws -> any Handler {
    let handlers = try names.map { try PlugIns.handler($0, timeout: 30) }
    return HandlerChain(handlers + [ClockHandler()]) { Log.warning($0.message) }
  }
}
