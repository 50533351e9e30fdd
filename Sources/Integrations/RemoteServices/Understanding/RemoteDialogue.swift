import Dialogue
import Platform
import Understanding

/// A conversation whose texts are understood by a service, and by the ``DialogueStateMachine`` here where that fails.
///
/// Answers to a question that was asked here are understood here. An intent that the intent file has too, and there
/// wants a voice or a confirmation, is never taken from a service: no stranger's server opens what the file guards.
/// What the service has to be told of the turns before goes with each text, until the conversation's time-out.
public struct RemoteDialogue: Sendable {
  public private(set) var local: DialogueStateMachine
  private var service: RemoteUnderstander?
  private var lastTurn: Double?

  /// - Parameter service: nil to understand everything here.
  public init(_ local: DialogueStateMachine, service: RemoteUnderstander? = nil) {
    self.local = local
    self.service = service
  }

  /// Takes the text of a turn.
  ///
  /// - Parameters:
  ///   - time: seconds on any clock that does not go back.
  ///   - voice: who spoke.
  ///   - isCancelled: asked every 50 ms while the service is waited for.
  ///   - report: is told when the service fails that did not fail before.
  public mutating func process(
    _ text: String, at time: Double, by voice: TurnSpeaker = .notEnrolled,
    isCancelled: @escaping () -> Bool = { false }, report: (RemoteFault) -> Void
  ) -> DialogueAction {
    if let lastTurn, time - lastTurn > local.timeout { service?.beginAnew() }
    lastTurn = time
    if case .asking = local.state { return local.process(text, at: time, by: voice) }
    switch service?.ask(text, isCancelled: isCancelled) {
    case .understood(let meaning)?:
      if let action = action(for: meaning) { return action }
    case .failed(let fault)?: report(fault)
    case .down?, nil: break
    }
    return local.process(text, at: time, by: voice)
  }

  /// Begins anew, but remembers whether the service fails.
  public mutating func restart(with local: DialogueStateMachine) {
    self.local = local
    service?.beginAnew()
    lastTurn = nil
  }

  /// Takes how carrying out went.
  public mutating func handled(succeeded: Bool) { local.handled(succeeded: succeeded) }

  /// What is done about a service's meaning; nil for what is not taken from it.
  private func action(for meaning: Interpretation) -> DialogueAction? {
    if let name = meaning.intent?.name, local.guards(name) { return nil }
    switch meaning.status {
    case .ready: return .handle(meaning)
    case .needsValue, .needsDisambiguation, .needsConfirmation: return .ask(meaning)
    case .unsupported, .notUnderstood: return .end(meaning, .notUnderstood)
    }
  }
}
