import Networking

extension StreamServer {
  /// Seconds within which a new client must get an answer.
  private static let patience = 2.0

  /// Connects a client of its own, which sends `request`.
  ///
  /// - Returns: what is wrong if the client gets no answer in time; nil if it gets one.
  func problem(answering request: [UInt8]) -> String? {
    if answers(request, within: Self.patience) { return nil }
    return "a new client got no answer within \(Int(Self.patience)) s"
  }
}
