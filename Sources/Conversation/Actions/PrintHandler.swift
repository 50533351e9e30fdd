/// Writes each intent as one line of JSON. It never answers, so that other handlers may.
public struct PrintHandler: Handler {
  private let write: @Sendable (String) -> Void

  /// - Parameter write: called with each line, without the newline.
  public init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    write(event.json.description)
    return nil
  }
}
