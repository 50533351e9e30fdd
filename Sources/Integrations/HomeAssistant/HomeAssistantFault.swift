import Networking
import Platform
import YAMLFormat

/// Why the intents of a home cannot be made.
public enum HomeAssistantFault: Fault, Equatable {
  case network(NetworkFault)
  case system(SystemFault)
  /// Home Assistant is not yet ready.
  case starting(peer: String)
  /// Home Assistant does not accept the key.
  case refused(peer: String)
  /// Home Assistant refused a command; `reason` is its message.
  case failed(peer: String, command: String, reason: String)
  /// None of the folders has sentences of `language`.
  case noSentences(language: String, searched: [String])
  /// The package has other languages.
  case noLanguage(String, package: String, known: [String])
  /// The file is not of the form of the package home-assistant-intents.
  case badSentences(file: String)
  /// A file of the user's sentences has none of the keys of such files.
  case badOwnFile(file: String)
  /// A file of the user's sentences is not YAML.
  case badOwnSentences(YAMLFault)

  public var exitCode: ExitCode {
    switch self {
    case .network(let fault): fault.exitCode
    case .system(let fault): fault.exitCode
    case .starting: .unavailable
    case .refused, .failed: .permission
    case .noSentences, .noLanguage: .noInput
    case .badSentences, .badOwnFile, .badOwnSentences: .badData
    }
  }

  public var message: String {
    switch self {
    case .network(let fault): fault.message
    case .system(let fault): fault.message
    case .starting(let peer): "\(peer): Home Assistant is still starting"
    case .refused(let peer):
      "\(peer): does not accept the key; create a long-lived access token in Home Assistant, in the profile of an administrator under Security"
    case .failed(let peer, let command, let reason):
      "\(peer): '\(command)' failed: \(PlainText.line(reason, limit: 200)); the key must be that of an administrator"
    case .noSentences(let language, let searched):
      "no sentences in '\(language)': the package home-assistant-intents is not in \(searched.joined(separator: ", ")); "
        + "install it with: pip install --target DIR home-assistant-intents, and give DIR with --sentences"
    case .noLanguage(let language, let package, let known):
      "no sentences in '\(language)' in \(package); it has \(known.joined(separator: ", "))"
    case .badSentences(let file):
      "\(file): has no sentences as in the package home-assistant-intents: 'intents' is missing"
    case .badOwnFile(let file):
      "\(file): has no 'intents', 'lists' or 'expansion_rules', as Home Assistant's custom sentences have"
    case .badOwnSentences(let fault): fault.message
    }
  }
}
