import Configuration
import Dialogue
import Recognition
import Understanding

/// What the settings make of their intents: who recognizes the sentences, and the dialogue about them.
struct Conversation {
  let intents: IntentFile
  let understander: Understander
  let dialogue: DialogueStateMachine
  let recognizer: any Recognizer

  /// Reads the intent file and compiles its sentences.
  ///
  /// - Parameter queue: receives the fault when one recognizer fails and the next is used.
  init(_ settings: ServiceSettings, _ queue: EventQueue) throws {
    intents = try PlugIns.intents(settings.intents)
    understander = try Understander(intents)
    dialogue = try PlugIns.dialogue(understander, file: settings.intents)
    recognizer = try PlugIns.recognizer(
      settings.recognizers,
      of: KnownSentences(try intents.withAnswers().withStopPhrases(settings.stopping.all)),
      timeout: settings.recognizerTimeout, hasReserve: settings.hasOnlyRemoteRecognizers
    ) { queue.post(.result(.trouble(code: $0.exitCode.rawValue, message: $0.message))) }
  }
}
