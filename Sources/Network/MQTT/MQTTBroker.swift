import CMosquitto
import Glibc

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

  /// Publishes one message and waits until the broker has it (quality of service 1).
  ///
  /// - Parameters:
  ///   - topic: fulfils ``isTopic(_:)``.
  ///   - timeout: seconds; to look the host's name up may take longer.
  ///   - isCancelled: asked every 50 ms.
  public func publish(
    _ payload: [UInt8], to topic: String, timeout: Double, isCancelled: @escaping () -> Bool = { false }
  ) throws(NetworkFault) {
    if let reason = mqtt_load() { throw .missingMosquitto(reason: String(cString: reason)) }
    let isSecure = address.scheme == "mqtts"
    let host = address.host.hasPrefix("[") ? String(address.host.dropFirst().dropLast()) : address.host
    let strings = [host, topic, authorities, user, password?.text].map { $0.map { strdup($0)! } }
    defer { for string in strings { free(string) } }
    let cancellation = Cancellation(isCancelled)
    var reason = [CChar](repeating: 0, count: Int(mqtt_reason_size))
    let ending = payload.withUnsafeBufferPointer { payload in
      var message = mqtt_message(
        host: strings[0], port: Int32(address.port ?? (isSecure ? 8883 : 1883)), is_secure: isSecure,
        authorities: strings[2], user: strings[3], password: strings[4], topic: strings[1],
        payload: payload.baseAddress, payload_size: payload.count, seconds: timeout)
      return withExtendedLifetime(cancellation) {
        mqtt_publish(&message, Cancellation.ask, Unmanaged.passUnretained(cancellation).toOpaque(), &reason)
      }
    }
    let words = NetworkLibrary.text(reason)
    let peer = address.peer
    switch ending {
    case mqtt_done: return
    case mqtt_cancelled: throw .cancelled
    case mqtt_timed_out: throw .timedOut(peer: peer, seconds: timeout)
    case mqtt_unreachable: throw .unreachable(peer: peer, reason: words)
    case mqtt_refused: throw .failed(peer: peer, reason: "the broker refused: \(words)")
    default: throw .failed(peer: peer, reason: words)
    }
  }
}
