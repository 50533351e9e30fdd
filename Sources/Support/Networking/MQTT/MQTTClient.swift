import CMosquitto
import Glibc

/// A client of a broker, by libmosquitto, with one connection at a time. One thread uses it, except for ``publish(_:)``.
final class MQTTClient: @unchecked Sendable {
  /// What happened in a turn.
  enum Event {
    case accepted
    case refused(NetworkFault)
    /// The broker has acknowledged a message.
    case published
    case received(MQTTMessage)
    /// A message over ``messageLimit`` was not kept.
    case tooLarge(topic: String, bytes: Int)
  }

  /// The maximum size of a payload in bytes. The library itself reads a larger one, and frees it after its report.
  static let messageLimit = 256 << 10

  private let peer: String
  private let pointer: OpaquePointer
  private let inbox: Inbox
  private var isAccepted = false

  /// Collects what the library reports during a turn.
  private final class Inbox {
    let peer: String
    var events: [Event] = []

    init(peer: String) { self.peer = peer }

    static func of(_ context: UnsafeMutableRawPointer?) -> Inbox {
      Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue()
    }
  }

  /// - Parameter will: what the broker publishes, retained, when the connection is lost.
  init(_ broker: MQTTBroker, will: (topic: String, text: String)? = nil) throws(NetworkFault) {
    if let reason = mqtt_load() { throw .missingMosquitto(reason: String(cString: reason)) }
    peer = broker.address.peer
    inbox = Inbox(peer: peer)
    let name = broker.address.host
    let host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
    let texts = [host, broker.authorities, broker.user, broker.password?.text, will?.topic, will?.text]
    let strings = texts.map { $0.map { strdup($0)! } }
    defer { for string in strings { free(string) } }
    let isSecure = broker.address.scheme == "mqtts"
    var address = mqtt_address(
      host: strings[0], port: Int32(broker.address.port ?? (isSecure ? 8883 : 1883)), is_secure: isSecure,
      authorities: strings[1], user: strings[2], password: strings[3], will_topic: strings[4],
      will: strings[5])
    let listener = mqtt_listener(
      context: Unmanaged.passUnretained(inbox).toOpaque(),
      answered: { context, answer, reason in
        let inbox = Inbox.of(context)
        let text = reason.map { String(cString: $0) } ?? ""
        inbox.events.append(
          answer == 0
            ? .accepted
            : .refused(
              .failed(peer: inbox.peer, reason: "the broker rejects the connection: \(advised(text))")))
      },
      published: { Inbox.of($0).events.append(.published) },
      received: { context, topic, payload, size, isRetained in
        let topic = String(cString: topic!)
        guard size <= MQTTClient.messageLimit else {
          return Inbox.of(context).events.append(.tooLarge(topic: topic, bytes: size))
        }
        let bytes = payload.map { Array(UnsafeBufferPointer(start: $0, count: size)) } ?? []
        Inbox.of(context).events.append(.received(MQTTMessage(topic, bytes, isRetained: isRetained)))
      })
    var reason = [CChar](repeating: 0, count: Int(mqtt_reason_size))
    guard let opened = mqtt_open(&address, listener, &reason) else {
      throw .failed(peer: broker.address.peer, reason: NetworkLibrary.text(reason))
    }
    pointer = opened
  }

  deinit { mqtt_close(pointer) }

  /// Begins to connect; a later turn returns ``Event/accepted`` or throws.
  func connect() throws(NetworkFault) {
    isAccepted = false
    try check(mqtt_connect(pointer))
  }

  /// Sends and receives for up to `milliseconds`; returns earlier when something arrives.
  ///
  /// - Throws: why the connection was lost or could not be made.
  func turn(milliseconds: Int) throws(NetworkFault) -> [Event] {
    let code = mqtt_loop(pointer, Int32(milliseconds))
    let events = inbox.events
    inbox.events = []
    for case .accepted in events { isAccepted = true }
    if events.isEmpty { try check(code) }
    return events
  }

  /// Disconnects in order: the broker does not publish the will.
  func disconnect() { mqtt_disconnect(pointer) }

  func subscribe(to topic: String) throws(NetworkFault) { try check(mqtt_subscribe(pointer, topic)) }

  /// Queues a message for this connection or the next. Does not wait; any thread may call it.
  ///
  /// - Returns: false if the library refuses the message; ``Event/published`` then never comes.
  func publish(_ message: MQTTMessage) -> Bool {
    message.payload.withUnsafeBufferPointer {
      mqtt_publish(pointer, message.topic, $0.baseAddress, $0.count, message.isRetained) == 0
    }
  }

  private func check(_ code: Int32) throws(NetworkFault) {
    guard code != 0 else { return }
    let text = String(cString: mqtt_error_text(code))
    throw isAccepted ? .failed(peer: peer, reason: text) : .unreachable(peer: peer, reason: text)
  }
}

/// The broker's reason, with the fix where it is about the login.
private func advised(_ reason: String) -> String {
  let text = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  let isLogin = ["authori", "password"].contains { text.lowercased().contains($0) }
  return isLogin ? "\(text); give the login with ,user=NAME,password=FILE" : text
}
