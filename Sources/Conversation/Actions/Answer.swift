import Networking
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

  /// What begins as JSON does is none, or no answer.
  public struct Malformed: Error {}

  /// Reads what a command printed: an answer as JSON, or plain words, which become one line.
  ///
  /// What begins with a brace or a bracket is meant as JSON.
  /// - Returns: nil for white space, and for JSON that says that there is no reply.
  public init?(output: [UInt8]) throws(Malformed) {
    let line = PlainText.line(String(decoding: output, as: UTF8.self), limit: Self.replyLimit)
    guard let first = line.first else { return nil }
    guard first == "{" || first == "[" else {
      self.init(line)
      return
    }
    guard let json = try? JSON(parsing: output, what: "the answer") else { throw Malformed() }
    if let answer = Answer(json: json) {
      self = answer
    } else if Self.isSilent(json) {
      return nil
    } else {
      throw Malformed()
    }
  }

  /// Whether JSON has the members of an answer, or none at all, and they hold nothing.
  private static func isSilent(_ json: JSON) -> Bool {
    guard let members = json.members else { return false }
    let known = members.filter { ["reply", "actions", "speech", "answers"].contains($0.name) }
    return known.count >= min(1, members.count) && known.allSatisfy { isNothing($0.value) }
  }

  private static func isNothing(_ json: JSON) -> Bool {
    switch json {
    case .null: true
    case .string(let text): PlainText.line(text).isEmpty
    case .array(let values): values.isEmpty
    case .object(let members): members.allSatisfy { isNothing($0.value) }
    case .bool, .number, .longNumber: false
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
