import Platform

/// The answer of a handler: a reply and actions.
public struct Answer: Sendable, Equatable {
  /// The maximum number of actions in one answer.
  static let actionLimit = 100
  /// The maximum length of a reply in characters.
  static let replyLimit = 2_000

  /// The text to say; nil for none, so that the next handler may reply.
  public var reply: String?
  public var actions: [Action]

  public init(_ reply: String?, actions: [Action] = []) {
    self.reply = reply
    self.actions = actions
  }

  /// Parses `{"reply": "…", "actions": [{"type": …}, …]}`, Rhasspy's `{"speech": {"text": "…"}}`, or SUSI.AI's
  /// `{"answers": [{"data": …, "actions": …}]}`, whose rows are added to the actions that show them.
  ///
  /// Without a reply, the text of the `answer` actions is the reply.
  ///
  /// - Returns: nil if there is neither a reply nor an action.
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

  /// The output begins like JSON but is not valid, or is not an answer.
  public struct Malformed: Error {}

  /// Parses the output of a command: an answer as JSON, or plain text, which becomes one line.
  ///
  /// Output that begins with a brace or a bracket must be JSON.
  ///
  /// - Returns: nil for white space, and for JSON with an empty reply.
  public init?(output: [UInt8]) throws(Malformed) {
    let line = PlainText.line(String(decoding: output, as: UTF8.self), limit: Self.replyLimit)
    guard let first = line.first else { return nil }
    guard first == "{" || first == "[" else {
      self.init(line)
      return
    }
    guard let json = try? JSON(parsing: output) else { throw Malformed() }
    if let answer = Answer(json: json) {
      self = answer
    } else if Self.isEmptyAnswer(json) {
      return nil
    } else {
      throw Malformed()
    }
  }

  /// Whether the JSON has the members of an answer, or none, and all of them are empty.
  private static func isEmptyAnswer(_ json: JSON) -> Bool {
    guard let members = json.members else { return false }
    let known = members.filter { ["reply", "actions", "speech", "answers"].contains($0.name) }
    return known.count >= min(1, members.count) && known.allSatisfy { isEmpty($0.value) }
  }

  private static func isEmpty(_ json: JSON) -> Bool {
    switch json {
    case .null: true
    case .string(let text): PlainText.line(text).isEmpty
    case .array(let values): values.isEmpty
    case .object(let members): members.allSatisfy { isEmpty($0.value) }
    case .bool, .number, .longNumber: false
    }
  }

  /// The action with the rows that it shows.
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
