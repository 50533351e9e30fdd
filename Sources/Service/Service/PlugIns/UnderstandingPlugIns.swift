import Configuration
import Networking
import RemoteServices
import Understanding

extension PlugIns {
  /// The values of `--understanding`, for messages.
  private static let services =
    "rasa, homeassistant, dialogflow, wit, azure, luis, lex, watson or susi, each with :https://HOST"

  /// The service with this name.
  ///
  /// - Parameter language: used unless the name has an option `language`.
  package static func understanding(_ name: String, language: String) throws -> RemoteUnderstander {
    let plugIn = try PlugInName(name)
    let own =
      switch plugIn.kind {
      case "rasa": ["jwt"]
      case "dialogflow": ["project", "account"]
      case "azure": ["project", "deployment"]
      case "luis": ["app", "slot", "version"]
      case "lex": ["bot", "alias", "region"]
      case "watson": ["assistant", "environment"]
      default: [String]()
      }
    let address = try address(plugIn)
    let service: any UnderstandingService =
      switch plugIn.kind {
      case "rasa": RasaService(address, authentication: plugIn["jwt"] == nil ? .token : .jwt)
      case "homeassistant": HomeAssistantService(address)
      case "wit": WitService(address)
      case "susi": SUSIService(address)
      case "dialogflow": DialogflowService(address, project: try plugIn.required("project"))
      case "azure":
        AzureService(
          address, project: try plugIn.required("project"), deployment: try plugIn.required("deployment"))
      case "luis":
        LUISService(
          address, application: try plugIn.required("app"), slot: plugIn["slot"] ?? "production",
          version: try plugIn.whole("version", in: 2...3) == 2 ? .two : .three)
      case "lex":
        LexService(
          address, bot: try plugIn.required("bot"), alias: try plugIn.required("alias"),
          region: try plugIn.required("region"))
      case "watson":
        WatsonService(
          address, assistant: try plugIn.required("assistant"),
          environment: try plugIn.required("environment"))
      default: throw ServiceFault.unknownPlugIn(kind: "service", name: name, expected: services)
      }
    try plugIn.check(options: own + ["language", "key", "ca", "timeout"])
    _ = try plugIn.either("key", or: "account")
    return try RemoteUnderstander(
      service, language: plugIn["language"] ?? language, keyFile: try plugIn.either("key", or: "jwt"),
      accountFile: plugIn["account"], authorities: try authorities(plugIn),
      timeout: try plugIn.seconds("timeout", in: 0.1...8) ?? 2)
  }

  private static func address(_ plugIn: PlugInName) throws -> WebAddress {
    guard !plugIn.address.isEmpty else {
      throw ServiceFault.unknownPlugIn(kind: "service", name: plugIn.text, expected: services)
    }
    return try WebAddress(plugIn.address, schemes: ["http", "https"], expected: "https://HOST[:PORT]")
  }
}
