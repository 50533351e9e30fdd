/// An MQTT broker: its address and how to connect to it, by libmosquitto.
public struct MQTTBroker: Sendable, Equatable {
  /// With the scheme `mqtt` (port 1883 by default) or `mqtts` (port 8883, over TLS).
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

  /// Whether `topic` can be published to: 1 to 1,000 bytes without wildcards and control characters.
  public static func isTopic(_ topic: String) -> Bool {
    (1...1_000).contains(topic.utf8.count) && topic.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && !topic.contains("+") && !topic.contains("#")
  }

  /// `name` as one level of a topic: without the characters that a topic cannot contain, in at most 200 bytes.
  public static func level(_ name: String) -> String {
    var level = ""
    for character in name.prefix(200) {
      let isAllowed = isTopic(String(character)) && character != "/"
      level.append(isAllowed ? character : "_")
      if level.utf8.count > 200 {
        level.removeLast()
        break
      }
    }
    return level.isEmpty ? "_" : level
  }

  /// Milliseconds of sending and receiving between two checks for cancellation.
  static let turn = 50

  /// Publishes one message on a connection of its own and waits until the broker has acknowledged it (quality of service 1).
  ///
  /// - Parameters:
  ///   - timeout: seconds; looking up the host's name may take longer.
  ///   - isCancelled: called every 50 ms.
  public func publish(
    _ message: MQTTMessage, timeout: Double, isCancelled: @escaping () -> Bool = { false }
  ) throws(NetworkFault) {
    let deadline = Connection.Deadline(seconds: timeout, isCancelled: isCancelled)
    let client = try MQTTClient(self)
    guard client.publish(message) else {
      throw .failed(peer: address.peer, reason: "a message of \(message.payload.count) bytes cannot be sent")
    }
    try client.connect()
    while true {
      for event in try client.turn(milliseconds: Self.turn) {
        switch event {
        case .refused(let fault): throw fault
        case .published: return
        case .accepted, .received, .tooLarge: break
        }
      }
      if isCancelled() { throw .cancelled }
      if deadline.remaining <= 0 { throw .timedOut(peer: address.peer, seconds: timeout) }
    }
  }
}

/// A message and its topic.
public struct MQTTMessage: Sendable, Equatable {
  /// For publishing, ``MQTTBroker/isTopic(_:)`` must be true.
  public var topic: String
  public var payload: [UInt8]
  /// Whether the broker keeps it for later subscribers; of a received one, whether it was published before the subscription.
  public var isRetained: Bool

  public init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}
