import Actions
import Configuration
import Networking
import PCM
import Platform
import RemoteServices

extension PlugIns {
  /// The values of `--handler`, for messages.
  private static let handlers = "print, speak, \(otherHandlers)"
  package static let otherHandlers = "https://HOST/PATH, mqtt://HOST[/TOPIC] or command:LINE"

  /// `print`, `speak`, `command:LINE`, the address of a web server or of an MQTT broker.
  ///
  /// - Parameters:
  ///   - timeout: in seconds.
  ///   - timers: the timers that run, and the position of the stream.
  ///   - volume: the playback volume, and the last one above 0.
  ///   - isCancelled: called while the handler works.
  package static func handler(
    _ name: String, timeout: Double,
    timers: @escaping @Sendable () -> (timers: Timers, position: SampleIndex),
    volume: @escaping @Sendable () -> (now: Double, audible: Double),
    isCancelled: @escaping @Sendable () -> Bool
  ) throws -> any Handler {
    if name == "print" || name == "speak" {
      return HandlerChain([
        TimerHandler(timers: timers), VolumeHandler(volume: volume), SUSIHandler(), ReplyHandler(),
      ])
    }
    return try handler(name, timeout: timeout, expected: handlers, isCancelled: isCancelled)
  }

  /// `command:LINE`, the address of a web server or of an MQTT broker.
  ///
  /// - Parameters:
  ///   - timeout: in seconds.
  ///   - expected: the possible values, for messages.
  ///   - isCancelled: called while the handler works.
  package static func handler(
    _ name: String, timeout: Double, expected: String = otherHandlers,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> any Handler {
    if let line = commandLine(name) {
      return CommandHandler(line, timeout: timeout, isCancelled: isCancelled)
    }
    let plugIn = try PlugInName(name)
    switch plugIn.kind {
    case "http", "https":
      try plugIn.check(options: ["key", "ca"])
      return WebhookHandler(
        try WebAddress(plugIn.address, schemes: ["http", "https"], expected: "https://HOST[:PORT]/PATH"),
        key: try plugIn["key"].map { try Secret(file: $0) }, authorities: try authorities(plugIn),
        timeout: timeout,
        isCancelled: isCancelled)
    case "mqtt", "mqtts":
      try plugIn.check(options: ["user", "password", "ca", "site"])
      let broker = try broker(plugIn, expected: "mqtt://HOST[:PORT][/TOPIC]")
      let topic = String(broker.address.target.drop { $0 == "/" })
      return try MQTTHandler(
        broker, topic: topic.isEmpty ? nil : topic, site: plugIn["site"] ?? "default", timeout: timeout,
        isCancelled: isCancelled)
    default: throw ServiceFault.unknownPlugIn(kind: "handler", name: name, expected: expected)
    }
  }

  /// The broker at a plug-in's address, with the options `user`, `password` and `ca`.
  package static func broker(_ plugIn: PlugInName, expected: String) throws -> MQTTBroker {
    MQTTBroker(
      try WebAddress(plugIn.address, schemes: ["mqtt", "mqtts"], expected: expected),
      user: plugIn["user"], password: try plugIn["password"].map { try Secret(file: $0) },
      authorities: try authorities(plugIn))
  }
}
