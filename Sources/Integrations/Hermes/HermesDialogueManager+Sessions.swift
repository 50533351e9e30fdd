import Platform

/// Sessions, which skills open, continue and end. One is open at a time.
extension HermesDialogueManager {
  mutating func startSession(_ body: JSON) -> [Action] {
    guard settings.managesDialogues else { return [] }
    let asked = HermesSession(
      id: newName("session"), customData: body["customData"] ?? .null, keyword: nil,
      prompt: body["init"]?["text"]?.string, filter: HermesSession.filter(in: body["init"]),
      isNotification: body["init"]?["type"]?.string == "notification")
    guard session != nil || isBusy else { return open(asked) }
    guard body["init"]?["canBeEnqueued"]?.bool ?? true, queue.count < Self.queueLimit else {
      return [fault("dialogueManager", "another session is open", .null)]
    }
    queue.append(asked)
    return [
      send(
        "hermes/dialogueManager/sessionQueued",
        [
          "sessionId": .string(asked.id), "siteId": .string(settings.site), "customData": asked.customData,
        ])
    ]
  }

  mutating func open(_ asked: HermesSession) -> [Action] {
    session = asked
    let started = send(
      "hermes/dialogueManager/sessionStarted",
      [
        "sessionId": .string(asked.id), "siteId": .string(settings.site), "customData": asked.customData,
        "lang": .string(settings.language),
      ])
    if asked.isNotification {
      return [started] + (asked.prompt.map { [.say($0)] } ?? []) + end(.nominal) + next()
    }
    isBusy = true
    return asked.keyword == nil ? [started, .listen(prompt: asked.prompt, asked.goal)] : [started]
  }

  mutating func control(_ topic: HermesTopic, _ body: JSON) -> [Action] {
    guard settings.managesDialogues, let id = body["sessionId"]?.string else { return [] }
    guard session?.id == id else {
      let isOurs = id.hasPrefix("\(settings.site)-")
      return isOurs ? [fault("dialogueManager", "no such session", .string(id))] : []
    }
    if let data = body["customData"], data != .null { session?.customData = data }
    let text = body["text"]?.string
    if topic == .continueSession {
      session?.filter = HermesSession.filter(in: body)
      guard session?.deadline != nil else {
        session?.following = .resume(prompt: text)
        return []
      }
      return resume(text)
    }
    guard session?.deadline != nil else {
      session?.following = .end(text: text)
      return [.dismiss(wantsResult: false)]
    }
    return (text.map { [.say($0)] } ?? []) + end(.nominal) + next()
  }

  mutating func resume(_ prompt: String?) -> [Action] {
    session?.deadline = nil
    session?.following = nil
    session?.isAnswered = true
    isBusy = true
    return [.listen(prompt: prompt, session?.goal ?? .command)]
  }

  mutating func end(_ reason: HermesSession.Ending) -> [Action] {
    guard let ended = session else { return [] }
    session = nil
    return [
      send(
        "hermes/dialogueManager/sessionEnded",
        [
          "termination": ["reason": .string(reason.rawValue)], "sessionId": .string(ended.id),
          "siteId": .string(settings.site), "customData": ended.customData,
        ])
    ]
  }

  /// Opens the first session of the queue.
  mutating func next() -> [Action] {
    guard session == nil, !isBusy, !queue.isEmpty else { return [] }
    return open(queue.removeFirst())
  }
}
