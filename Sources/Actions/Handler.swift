/// Something that carries out intents.
///
/// Handlers may take their time: they run on a thread of their own, never on the audio thread.
public protocol Handler: Sendable {
  /// Carries out `event`.
  ///
  /// - Returns: what to answer; without a reply the next one is asked for it, and with nil for actions too.
  func handle(_ event: IntentEvent) throws(ActionFault) -> Answer?
}

/// Several handlers in order: each is asked until one replies.
public struct HandlerChain: Handler {
  private let handlers: [any Handler]

  public init(_ handlers: [any Handler]) { self.handlers = handlers }

  /// The first reply and the first actions; a handler that fails ends the search with its fault.
  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    var actions: [Action] = []
    for handler in handlers {
      guard let answer = try handler.handle(event) else { continue }
      if actions.isEmpty { actions = answer.actions }
      if let reply = answer.reply { return Answer(reply, actions: actions) }
    }
    return actions.isEmpty ? nil : Answer(nil, actions: actions)
  }
}
