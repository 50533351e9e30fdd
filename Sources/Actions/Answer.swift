import Network
import Platform

/// What a handler answers: something to say, and actions.
public struct Answer: Sendable, Equatable {
  /// The most actions taken of one answer.
  static let actionLimit = 100
  /// The most characters of a reply.
  static let replyLimit = 2_000

  /// What is said; nil for nothing, so that the next handler may find words.
  public var reply: String?
  public var actions: [Action]

  public init(_ reply: String?, actions: [Action] = []) {
    self.reply = reply
    self.actions = actions
  }

  /// Reads `{"reply": "…", "actions": [{"type": …}, …]}`, `{"speech": {"text": "…"}}` as Rhasspy has it, or SUSI.AI's
  /// `{"answers": [{"data": …, "actions": …}]}`, whose rows go with the actions that show them.
  ///
  /// Without a reply the `answer` actions are what is said.
  /// - Returns: nil where there is neither a reply nor an action.
  public init?(json: JSON) {
    let source = json["answers"]?.array?.first ?? json
    let actions = (source["actions"]?.array ?? []).prefix(Self.actionLimit).compactMap { action in
      Action(json: Self.withRows(source["data"], action))
    }
    let given = source["reply"]?.string ?? source["speech"]?["text"]?.string
    let answers = actions.compactMap { action in
      if case .answer(let text) = action.kind { text } else { nil }
    }
    let line = PlainText.line(given ?? answers.joined(separator: " "), limit: Self.replyLimit)
    guard !line.isEmpty || !actions.isEmpty else { return nil }
    self.init(line.isEmpty ? nil : line, actions: Array(actions))
  }

  /// Reads what a command printed: an answer as JSON, or plain words.
  ///
  /// - Returns: nil for white space.
  public init?(output: [UInt8]) {
    var text = String(decoding: output, as: UTF8.self)[...]
    text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    guard !text.isEmpty else { return nil }
    if text.first == "{", let json = try? JSON(parsing: Array(text.utf8), what: "the answer"),
      let answer = Answer(json: json)
    {
      self = answer
    } else {
      self.init(String(text))
    }
  }

  /// An action with the rows that it shows.
  private static func withRows(_ rows: JSON?, _ action: JSON) -> JSON {
    guard let rows, let members = action.members, action["data"] == nil,
      ["table", "rss", "piechart"].contains(action["type"]?.string)
    else { return action }
    return .object(members + [JSON.Member("data", rows)])
  }
}

extension Answer: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}
