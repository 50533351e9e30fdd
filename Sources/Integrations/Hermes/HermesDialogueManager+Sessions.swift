import Platform

/// Sessions: skills open, continue and end them; one at a time is open.
extension HermesDialogueManager {
  mutating func startSession(_ body: JSON) -> [Action] {
    guard settings.leads else { return [] }
    let asked = HermesSession(
      id: name("session"), customData: body["customData"] ?? .null, keyword: nil,
      prompt: body["init"]?["text"]?.string,
      isNotification: body["init"]?["type"]?.string == "notification")
    guard session != nil || isBusy else { return open(asked) }
    guard body["init"]?["canBeEnqueued"]?.bool ?? true, queue.count < Self.queueLimit else {
      return [trouble("dialogueManager", "a session is open", .null)]
    }
    queue.append(asked)
    return [
      tell(
        "hermes/dialogueManager/sessionQueued",
        [
          "sessionId": .string(asked.id), "siteId": .string(settings.site), "customData": asked.customData,
        ])
    ]
  }

  mutating func open(_ asked: HermesSession) -> [Action] {
    session = asked
    let started = tell(
      "hermes/dialogueManager/sessionStarted",
      [
        "sessionId": .string(asked.id), "siteId": .string(settings.site), "customData": asked.customData,
        "lang": .string(settings.language),
      ])
    if asked.isNotification {
      return [started] + (asked.prompt.map { [.say($0)] } ?? []) + end(.nominal) + next()
    }
    isBusy = true
    return asked.keyword == nil ? [started, .listen(prompt: asked.prompt, .command)] : [started]
  }

  mutating func lead(_ topic: HermesTopic, _ body: JSON, _ now: Double) -> [Action] {
    guard settings.leads, let id = body["sessionId"]?.string else { return [] }
    guard session?.id == id else {
      let isOurs = id.hasPrefix("\(settings.site)-")
      return isOurs ? [trouble("dialogueManager", "there is no such session", .string(id))] : []
    }
    if let data = body["customData"], data != .null { session?.customData = data }
    let text = body["text"]?.string
    if topic == .continueSession {
      guard session?.deadline != nil else {
        session?.following = .goOn(prompt: text)
        return []
      }
      return goOn(text)
    }
    guard session?.deadline != nil else {
      session?.following = .end(text: text)
      return [.dismiss(wantsResult: false)]
    }
    return (text.map { [.say($0)] } ?? []) + end(.nominal) + next()
  }

  mutating func goOn(_ prompt: String?) -> [Action] {
    session?.deadline = nil
    session?.following = nil
    session?.isAnswered = true
    isBusy = true
    return [.listen(prompt: prompt, .command)]
  }

  mutating func end(_ reason: HermesSession.Ending) -> [Action] {
    guard let ended = session else { return [] }
    session = nil
    return [
      tell(
        "hermes/dialogueManager/sessionEnded",
        [
          "termination": ["reason": .string(reason.rawValue)], "sessionId": .string(ended.id),
          "siteId": .string(settings.site), "customData": ended.customData,
        ])
    ]
  }

  /// Opens the session that has waited longest.
  mutating func next() -> [Action] {
    guard session == nil, !isBusy, !queue.isEmpty else { return [] }
    return open(queue.removeFirst())
  }
}
