/// Answers with the reply of the intent file.
public struct ReplyHandler: Handler {
  public init() {}

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    event.interpretation.reply.map { Answer($0) }
  }
}
