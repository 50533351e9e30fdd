/// Answers with the reply that the intent file has for the intent.
public struct ReplyHandler: Handler {
  public init() {}

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    event.interpretation.reply.map { Answer($0) }
  }
}
