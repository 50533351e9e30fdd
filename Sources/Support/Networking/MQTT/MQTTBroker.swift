/// A broker that messages are published to, by libmosquitto; each goes over a connection of its own.
public struct MQTTBroker: Sendable, Equatable {
  /// Of the scheme `mqtt` (port 1883 unless it has another) or `mqtts` (8883, through TLS).
  public let address: WebAddress
  public var user: String?
  public var password: Secret?
  /// A file of certificates to trust instead of the system's.
  public var authorities: String?

  public init(
    _ address: WebAddress, user: String? = nil, password: Secret? = nil, authorities: String? = nil
  ) {
    self.address = address
    self.user = user
    self.password = password
    self.authorities = authorities
  }

  /// Whether messages can be published to `topic`: 1 to 1,000 bytes, no wildcards, no control characters.
  public static func isTopic(_ topic: String) -> Bool {
    (1...1_000).contains(topic.utf8.count) && topic.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && !topic.contains("+") && !topic.contains("#")
  }

  /// Milliseconds of sending and receiving between two looks at whether to go on.
  static let turn = 50

  /// Publishes one message and waits until the broker has it (quality of service 1).
  ///
  /// - Parameters:
  ///   - timeout: seconds; to look the host's name up may take longer.
  ///   - isCancelled: asked every 50 ms.
  public func publish(
    _ message: MQTTMessage, timeout: Double, isCancelled: @escaping () -> Bool = { false }
  ) throws(NetworkFault) {
    let deadline = Connection.Deadline(seconds: timeout, isCancelled: isCancelled)
    let client = try MQTTClient(self)
    client.publish(message)
    try client.connect()
    while true {
      for event in try client.turn(milliseconds: Self.turn) {
        switch event {
        case .refused(let fault): throw fault
        case .published: return
        case .accepted, .received: break
        }
      }
      if isCancelled() { throw .cancelled }
      if deadline.remaining <= 0 { throw .timedOut(peer: address.peer, seconds: timeout) }
    }
  }
}

/// A topic and what is told there.
public struct MQTTMessage: Sendable, Equatable {
  /// For messages to be published it fulfils ``MQTTBroker/isTopic(_:)``.
  public var topic: String
  public var payload: [UInt8]
  /// Whether the broker keeps it for those who come later.
  public var isRetained: Bool

  public init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
