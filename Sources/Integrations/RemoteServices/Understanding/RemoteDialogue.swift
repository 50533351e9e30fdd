import Dialogue
import Platform
import Understanding

/// A dialogue whose texts are interpreted by a remote service, with a local ``DialogueStateMachine`` as fallback.
///
/// Answers to a question of the local dialogue are interpreted locally. An intent for which the intent file requires a
/// speaker or a confirmation is never accepted from a service, so that a remote server cannot bypass them. The state of
/// the service's conversation is sent with each text until the dialogue times out.
public struct RemoteDialogue: Sendable {
  public private(set) var local: DialogueStateMachine
  private var service: RemoteUnderstander?
  private var lastTurn: Double?

  /// - Parameter service: nil to interpret everything locally.
  public init(_ local: DialogueStateMachine, service: RemoteUnderstander? = nil) {
    self.local = local
    self.service = service
  }

  /// The intents that the next turns may have; nil for all.
  public var intents: Set<String>? {
    get { local.intents }
    set { local.intents = newValue }
  }

  /// Processes the text of a turn. Blocks until the service answers or times out.
  ///
  /// - Parameters:
  ///   - time: seconds on a monotonic clock.
  ///   - speaker: who spoke.
  ///   - isCancelled: called every 50 ms while waiting for the service.
  ///   - report: called with the first of several failures in a row.
  public mutating func process(
    _ text: String, at time: Double, by speaker: TurnSpeaker = .notEnrolled,
    isCancelled: @escaping () -> Bool = { false }, report: (RemoteFault) -> Void
  ) -> DialogueAction {
    if let lastTurn, time - lastTurn > local.timeout { service?.startConversation() }
    lastTurn = time
    if case .asking = local.state { return local.process(text, at: time, by: speaker) }
    // Words that were not recognized: nothing to send.
    if text.isEmpty { return local.process(text, at: time, by: speaker) }
    // A service knows nothing of the intents that are accepted, and may carry out another one.
    if intents != nil { return local.process(text, at: time, by: speaker) }
    switch service?.interpret(text, isCancelled: isCancelled) {
    case .understood(let interpretation)?:
      if let action = action(for: interpretation) { return action }
    case .failed(let fault)?: report(fault)
    case .unavailable?, nil: break
    }
    return local.process(text, at: time, by: speaker)
  }

  /// Refuses a turn by a voice that may not ask for anything; no service gets its text.
  public mutating func refuseStranger(_ text: String) -> DialogueAction { local.refuseStranger(text) }

  /// Starts a new dialogue; whether the service is unavailable is kept.
  public mutating func restart(with local: DialogueStateMachine) {
    self.local = local
    service?.startConversation()
    lastTurn = nil
  }

  /// Reports the result of handling the intent.
  public mutating func handled(succeeded: Bool) { local.handled(succeeded: succeeded) }

  /// The action for an interpretation of the service; nil where it is not accepted.
  private func action(for interpretation: Interpretation) -> DialogueAction? {
    if let name = interpretation.intent?.name, local.guards(name) { return nil }
    switch interpretation.status {
    case .ready: return .handle(interpretation)
    case .needsValue, .needsDisambiguation, .needsConfirmation: return .ask(interpretation)
    case .unsupported, .notUnderstood: return .end(interpretation, .notUnderstood)
    }
  }
}
