/// Something that carries out intents.
///
/// Handlers may take their time: they run on a thread of their own, never on the audio thread.
public protocol Handler: Sendable {
  /// Carries out `event`.
  ///
  /// - Returns: what to answer; nil when this handler has nothing to say, so that the next one is asked.
  func handle(_ event: IntentEvent) throws(ActionFault) -> String?
}

/// Several handlers in order: each is asked until one answers.
public struct HandlerChain: Handler {
  private let handlers: [any Handler]

  public init(_ handlers: [any Handler]) { self.handlers = handlers }

  /// The first answer; a handler that fails ends the search with its fault.
  public func handle(_ event: IntentEvent) throws(ActionFault) -> String? {
    for handler in handlers {
      if let reply = try handler.handle(event) { return reply }
    }
    return nil
  }
}
