/// Shows each intent as one line of JSON; answers nothing, so that others may.
public struct PrintHandler: Handler {
  private let write: @Sendable (String) -> Void

  /// - Parameter write: takes each line, without its end.
  public init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    write(event.json.description)
    return nil
  }
}
