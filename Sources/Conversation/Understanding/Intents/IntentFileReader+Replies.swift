import Platform
import YAMLFormat

/// What is answered, by intent and key.
extension IntentFileReader {
  func replies(
    _ node: YAMLNode, _ result: IntentFile
  ) throws(IntentFileFault) -> [String: [String: ReplyTemplate]] {
    var replies: [String: [String: ReplyTemplate]] = [:]
    let isNested = node.mapping?.count == 1 && node["intents"] != nil
    for entry in try mapping(isNested ? node["intents"] ?? node : node, "'responses'") {
      guard result.intents.contains(where: { $0.name == entry.key }) else {
        let suggestion = nearestName(to: entry.key, among: result.intentNames)
        throw fault(
          entry.keyPosition, .unknownKey(key: entry.key, within: "'responses'", suggestion: suggestion))
      }
      if entry.value.mapping == nil {
        replies[entry.key] = ["default": try reply(entry.value)]
      } else {
        for named in try mapping(entry.value, "'responses'") {
          replies[entry.key, default: [:]][named.key] = try reply(named.value)
        }
      }
    }
    return replies
  }

  func reply(_ node: YAMLNode) throws(IntentFileFault) -> ReplyTemplate {
    let text = try text(node, "a response")
    do throws(IntentFileProblem) {
      return try ReplyTemplate(text)
    } catch {
      throw fault(node.position, error)
    }
  }

  func attachReplies(_ result: inout IntentFile) throws(IntentFileFault) {
    for index in result.intents.indices {
      let reply = result.replies[result.intents[index].name]?["default"]
      for block in result.intents[index].blocks.indices { result.intents[index].blocks[block].reply = reply }
    }
    for (node, intent, block) in replyKeys {
      let key = try text(node, "'response'")
      let named = result.replies[result.intents[intent].name] ?? [:]
      if let reply = named[key] {
        result.intents[intent].blocks[block].reply = reply
      } else if key.contains(" ") || key.contains("{") {
        result.intents[intent].blocks[block].reply = try reply(node)
      } else if !named.isEmpty {
        let name = result.intents[intent].name
        let suggestion = nearestName(to: key, among: named.keys)
        throw fault(node.position, .unknownResponse(key: key, intent: name, suggestion: suggestion))
      }
    }
  }
}
