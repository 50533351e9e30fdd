/// Something that carries out intents.
///
/// Handlers may take their time: they run on a thread of their own, never on the audio thread.
public protocol Handler: Sendable {
  /// Carries out `event`.
  ///
  /// - Returns: what to answer; without a reply the next one is asked for it, and with nil for actions too.
  func handle(_ event: IntentEvent) throws(ActionFault) -> Answer?
}

/// Several handlers in order: each is asked until one replies, those after one that failed too.
public struct HandlerChain: Handler {
  private let handlers: [any Handler]
  private let report: @Sendable (ActionFault) -> Void

  /// - Parameter report: is told of each failure that is not thrown, in the order of the handlers.
  public init(_ handlers: [any Handler], report: @escaping @Sendable (ActionFault) -> Void = { _ in }) {
    self.handlers = handlers
    self.report = report
  }

  /// The first reply and the first actions.
  ///
  /// - Throws: the last failure, where there is neither a reply nor an action; ``ActionFault/cancelled(command:)`` at once.
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
