import Networking
import Platform
import Understanding

/// Amazon Lex V2: `RecognizeText`. The key is `ACCESS:SECRET`, the two parts of an access key, or
/// `ACCESS:SECRET:TOKEN` with a session token.
public struct LexService: UnderstandingService {
  public let name = "lex"
  /// `https://runtime-v2-lex.REGION.amazonaws.com`, or another address of it.
  public let address: WebAddress
  public let bot: String
  public let alias: String
  public let region: String

  public init(_ address: WebAddress, bot: String, alias: String, region: String) {
    self.address = address
    self.bot = bot
    self.alias = alias
    self.region = region
  }

  public func request(_ text: String, _ context: ServiceRequestContext) throws(RemoteFault) -> HTTPRequest {
    let parts = [bot, alias, Self.locale(context.language), context.session].map(PercentEncoding.encode)
    let path = "/bots/\(parts[0])/botAliases/\(parts[1])/botLocales/\(parts[2])/sessions/\(parts[3])/text"
    var request = HTTPRequest.post(address.appending(path), ["text": .string(text)])
    let credentials = try credentials(context.key)
    let date = Self.date(context.time)
    let signature = AWSSignature(
      accessKey: credentials.access, secret: credentials.secret, region: region, service: "lex")
    let token = credentials.token.map { [HTTPRequest.Header("X-Amz-Security-Token", $0.text)] } ?? []
    let headers = [HTTPRequest.Header("X-Amz-Date", date)] + token
    do {
      let authorization = try signature.authorization(
        request, headers: [HTTPRequest.Header("Host", address.peer)] + headers, date: date)
      request.headers += headers + [HTTPRequest.Header("Authorization", authorization)]
    } catch {
      throw .network(error, service: name)
    }
    return request
  }

  public func check(_ key: Secret?) throws(RemoteFault) { _ = try credentials(key) }

  /// The parts of the key.
  private func credentials(
    _ key: Secret?
  ) throws(RemoteFault) -> (access: String, secret: Secret, token: Secret?) {
    let parts = key?.text.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
    guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
      throw .badKey(service: name, form: "ACCESS:SECRET or ACCESS:SECRET:TOKEN")
    }
    return (parts[0], Secret(parts[1]), parts.count == 3 ? Secret(parts[2]) : nil)
  }

  /// The locale for a language; Lex requires a country: `en_US`.
  static func locale(_ language: String) -> String {
    let parts = language.split { $0 == "-" || $0 == "_" }
    let tongue = parts.first?.lowercased() ?? "en"
    if parts.count > 1 { return "\(tongue)_\(parts[1].uppercased())" }
    let usual = ["en": "US", "pt": "BR", "zh": "CN", "ja": "JP", "ko": "KR", "hi": "IN"]
    return "\(tongue)_\(usual[tongue] ?? tongue.uppercased())"
  }

  /// The time as `20150830T123600Z`.
  static func date(_ time: Int) -> String {
    let days = time / 86_400
    let rest = time % 86_400
    // Howard Hinnant, "chrono-compatible low-level date algorithms": the civil date of a count of days.
    let shifted = days + 719_468
    let era = shifted / 146_097
    let day = shifted % 146_097
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let numbers = [
      month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1, rest / 3_600,
      rest / 60 % 60, rest % 60,
    ]
    let texts = numbers.map { ($0 < 10 ? "0" : "") + String($0) }
    return
      "\(year + era * 400 + (month < 10 ? 0 : 1))\(texts[0])\(texts[1])T\(texts[2])\(texts[3])\(texts[4])Z"
  }

  public func interpretation(of text: String, language: String, answer: JSON) -> Interpretation? {
    guard let state = answer["sessionState"], state.members != nil else { return nil }
    var builder = InterpretationBuilder(text, language: language)
    let messages =
      answer["messages"]?.array?.prefix(InterpretationBuilder.limit).compactMap { $0["content"]?.string }
      ?? []
    let words = messages.joined(separator: " ")
    let guesses = (answer["interpretations"]?.array ?? []).prefix(InterpretationBuilder.limit).compactMap {
      InterpretationBuilder.guess($0["intent"]?["name"], $0["nluConfidence"]?["score"])
    }.filter { $0.name != "FallbackIntent" }
    builder.setReply(words)
    let intent = state["intent"]
    guard let name = intent?["name"]?.string, name != "FallbackIntent",
      state["dialogAction"]?["type"]?.string != "ElicitIntent"
    else { return builder.interpretation }
    let known = guesses.first { $0.name == name }
    guard let guess = known ?? InterpretationBuilder.guess(.string(name), nil) else { return nil }
    let status = Self.status(state)
    builder.setIntent(guess, status: status, others: guesses)
    if status == .needsValue || status == .needsConfirmation {
      builder.setPrompt(words)
      builder.setReply(nil)
    }
    for slot in intent?["slots"]?.members ?? [] { Self.fill(slot, into: &builder) }
    return builder.interpretation
  }

  private static func status(_ state: JSON) -> Interpretation.Status {
    if state["intent"]?["state"]?.string == "Failed" { return .unsupported }
    return switch state["dialogAction"]?["type"]?.string {
    case "ElicitSlot": .needsValue
    case "ConfirmIntent": .needsConfirmation
    default: .ready
    }
  }

  private static func fill(_ slot: JSON.Member, into builder: inout InterpretationBuilder) {
    func value(_ slot: JSON) -> JSON? {
      slot["value"]?["interpretedValue"] ?? slot["value"]?["originalValue"]
    }
    let values = slot.value["values"]?.array?.prefix(InterpretationBuilder.limit).compactMap(value)
    builder.addSlot(
      slot.name, values.map(JSON.array) ?? value(slot.value) ?? .null,
      said: slot.value["value"]?["originalValue"]?.string)
  }
}
