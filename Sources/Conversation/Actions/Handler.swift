/// Carries out intents.
///
/// Handlers may block: they run on a thread of their own, never on the audio thread.
public protocol Handler: Sendable {
  /// Carries out `event`.
  ///
  /// - Returns: the answer. Without a reply, the next handler is called for the reply; with nil, for the actions too.
  func handle(_ event: IntentEvent) throws(ActionFault) -> Answer?
}

/// Calls several handlers in order until one replies; a handler that fails does not stop the chain.
public struct HandlerChain: Handler {
  private let handlers: [any Handler]
  private let report: @Sendable (ActionFault) -> Void

  /// - Parameter report: called with each fault that is not thrown, in the order of the handlers.
  public init(_ handlers: [any Handler], report: @escaping @Sendable (ActionFault) -> Void = { _ in }) {
    self.handlers = handlers
    self.report = report
  }

  /// Returns the first reply and the first actions.
  ///
  /// - Throws: the last fault if there is neither a reply nor an action; ``ActionFault/cancelled(command:)`` at once.
  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    var actions: [Action] = []
    var failure: ActionFault?
    for handler in handlers {
      do throws(ActionFault) {
        guard let answer = try handler.handle(event) else { continue }
        if actions.isEmpty { actions = answer.actions }
        guard let reply = answer.reply else { continue }
        if let failure { report(failure) }
        return Answer(reply, actions: actions)
      } catch {
        if case .cancelled = error { throw error }
        if let failure { report(failure) }
        failure = error
      }
    }
    guard let failure else { return actions.isEmpty ? nil : Answer(nil, actions: actions) }
    if actions.isEmpty { throw failure }
    report(failure)
    return Answer(nil, actions: actions)
  }
}
