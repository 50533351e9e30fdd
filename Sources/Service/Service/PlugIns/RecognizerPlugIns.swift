import Configuration
import Networking
import Recognition
import RemoteServices
import Understanding

extension PlugIns {
  /// The values of `--recognizer`, for messages.
  private static let recognizers =
    "combined, builtin, pocketsphinx, pocketsphinx:dictation, wyoming:tcp://HOST:PORT, vosk:ws://HOST:PORT, "
    + "whisper:http://HOST:PORT, openai:https://HOST/v1 or command:LINE"

  /// The default recognizers: the intent file's choice, or both, and what is left where one of them is not available.
  package static func defaultRecognizers(for intents: IntentFile) -> [String] {
    switch intents.recognizer {
    case "builtin": ["builtin", "pocketsphinx"]
    case "pocketsphinx": ["pocketsphinx"]
    default: ["combined", "builtin", "pocketsphinx"]
    }
  }

  /// The recognizer with this name. Of several names, each is used if those before it fail; without a name, the default.
  ///
  /// - Parameters:
  ///   - sentences: what `builtin` and PocketSphinx recognize, and the language for servers.
  ///   - timeout: seconds from the end of the audio.
  ///   - hasReserve: PocketSphinx is used if all of them fail, and if it is installed and supports the sentences.
  ///   - report: receives the fault when one fails and the next is used.
  package static func recognizer(
    _ names: [String], of sentences: KnownSentences, timeout: Double = 30, hasReserve: Bool = false,
    report: @escaping (RecognitionFault) -> Void
  ) throws -> any Recognizer {
    let names = names.isEmpty ? defaultRecognizers(for: sentences.intents) : names
    var recognizers = try names.map { try recognizer($0, sentences, timeout: timeout) }
    if hasReserve, let reserve = reserve(sentences) { recognizers.append(reserve) }
    if recognizers.count == 1 { return recognizers[0] }
    return RecognizerChain(recognizers) { _, fault in report(fault) }
  }

  /// PocketSphinx; nil if it is not installed or does not support the intents' language or sentences.
  private static func reserve(_ sentences: KnownSentences) -> (any Recognizer)? {
    guard let made = try? pocketSphinx(sentences), made.availability == .available
    else { return nil }
    return made
  }

  private static func recognizer(
    _ name: String, _ sentences: KnownSentences, timeout: Double
  ) throws -> any Recognizer {
    let intents = sentences.intents
    if let line = commandLine(name) { return CommandRecognizer(command: line, timeout: timeout) }
    switch name {
    case "builtin": return try builtIn(sentences)
    case "pocketsphinx": return try pocketSphinx(sentences)
    case "combined":
      let understander = try sentences.understander()
      return CombinedRecognizer(try pocketSphinx(sentences), try builtIn(sentences)) {
        understander.interpret($0).means(understander.interpret($1))
      }
    case "pocketsphinx:dictation":
      try checkEnglish(intents)
      return PocketSphinxRecognizer(grammar: nil)
    default: break
    }
    let plugIn = try PlugInName(name)
    guard !plugIn.address.isEmpty else {
      throw ServiceFault.unknownPlugIn(kind: "recognizer", name: name, expected: recognizers)
    }
    let language = plugIn["language"] ?? intents.language
    switch plugIn.kind {
    case "wyoming":
      try plugIn.check(options: ["language", "model"])
      return WyomingRecognizer(
        try WyomingConnection.endpoint(plugIn.address), locale: language, model: plugIn["model"],
        timeout: timeout)
    case "vosk":
      try plugIn.check(options: ["language", "ca"])
      let address = try WebAddress(plugIn.address, schemes: ["ws", "wss"], expected: "ws://HOST:PORT")
      return VoskRecognizer(address, locale: language, authorities: try authorities(plugIn), timeout: timeout)
    case "whisper":
      try plugIn.check(options: ["language", "key", "ca"])
      return try upload(.whisper, plugIn, language, timeout)
    case "openai":
      try plugIn.check(options: ["language", "model", "key", "ca"])
      return try upload(.openAI(model: plugIn["model"] ?? "whisper-1"), plugIn, language, timeout)
    default: throw ServiceFault.unknownPlugIn(kind: "recognizer", name: name, expected: recognizers)
    }
  }

  private static func builtIn(_ sentences: KnownSentences) throws -> BuiltInRecognizer {
    let made = BuiltInRecognizer(try sentences.network())
    if case .unavailable(.noEncoder) = made.availability { try checkEnglish(sentences.intents) }
    return made
  }

  private static func pocketSphinx(_ sentences: KnownSentences) throws -> PocketSphinxRecognizer {
    try checkEnglish(sentences.intents)
    return PocketSphinxRecognizer(
      grammar: try sentences.grammar(), vocabulary: try Vocabulary(hints: sentences.intents.vocabulary),
      pronounce: EspeakPronouncer().phones)
  }

  /// - Throws: ``RecognitionFault/unknownLocale(wanted:available:)`` for intents in another language: the models of
  ///   `builtin` and PocketSphinx are English.
  private static func checkEnglish(_ intents: IntentFile) throws(RecognitionFault) {
    guard intents.language.prefix(2).lowercased() == "en" else {
      throw .unknownLocale(wanted: intents.language, available: "en")
    }
  }

  private static func upload(
    _ dialect: UploadRecognizer.Dialect, _ plugIn: PlugInName, _ language: String, _ timeout: Double
  ) throws -> any Recognizer {
    let address = try WebAddress(plugIn.address, schemes: ["http", "https"], expected: "https://HOST[:PORT]")
    return UploadRecognizer(
      dialect, address, locale: language, key: try plugIn["key"].map { try Secret(file: $0) },
      authorities: try authorities(plugIn), timeout: timeout)
  }
}
