import Configuration
import SpeechSynthesis

extension PlugIns {
  /// The values of `--speak`, for messages.
  private static let voices = "espeak[:VOICE][,rate=WORDS][,pitch=P] or command:LINE"

  /// `espeak`, with options, or `command:LINE`.
  ///
  /// - Parameters:
  ///   - language: of espeak-ng's voice if the name has none.
  ///   - timeout: of a command, in seconds.
  package static func voice(_ name: String, language: String, timeout: Double) throws -> any SpeechVoice {
    if let line = commandLine(name) { return CommandVoice(line, timeout: timeout) }
    let plugIn = try PlugInName(
      name.contains(":") ? name : name.replacing(",", with: ":,", maxReplacements: 1))
    guard plugIn.kind == "espeak" else {
      throw ServiceFault.unknownPlugIn(kind: "voice", name: name, expected: voices)
    }
    try plugIn.check(options: ["rate", "pitch"])
    let own = language == "en" ? "en-us" : language.lowercased()
    return try EspeakVoice(
      plugIn.address.isEmpty ? own : plugIn.address,
      rate: try plugIn.whole("rate", in: EspeakVoice.rates) ?? 175,
      pitch: try plugIn.whole("pitch", in: EspeakVoice.pitches) ?? 50)
  }
}
