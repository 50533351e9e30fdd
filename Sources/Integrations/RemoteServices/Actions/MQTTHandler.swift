import Actions
import Hermes
import Networking
import Platform

/// Publishes each intent to an MQTT broker in Hermes' format, for Rhasspy's skills. It never answers, so that other handlers
/// may.
public struct MQTTHandler: Handler {
  private let broker: MQTTBroker
  private let topic: String?
  private let site: String
  private let timeout: Double
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - topic: the topic; nil for `hermes/intent/NAME`.
  ///   - site: Hermes' `siteId`.
  ///   - timeout: seconds within which the broker must acknowledge the message.
  ///   - isCancelled: called every 50 ms.
  public init(
    _ broker: MQTTBroker, topic: String? = nil, site: String = "default",
    timeout: Double = CommandHandler.standardTimeout, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ActionFault) {
    if let topic, !MQTTBroker.isTopic(topic) { throw .badTopic(topic) }
    self.broker = broker
    self.topic = topic
    self.site = site
    self.timeout = timeout
    self.isCancelled = isCancelled
  }

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    guard event.interpretation.status == .ready, let intent = event.interpretation.intent else { return nil }
    let topic = topic ?? "hermes/intent/\(intent.name)"
    guard MQTTBroker.isTopic(topic) else { throw .badTopic(topic) }
    var message = HermesIntent(event.interpretation.json, site: site)
    message.keyword = event.keyword
    let payload = Array(message.json.description.utf8)
    do throws(NetworkFault) {
      try broker.publish(MQTTMessage(topic, payload), timeout: timeout, isCancelled: isCancelled)
    } catch {
      throw error == .cancelled ? .cancelled(command: broker.address.peer) : .remote(AnyFault(error))
    }
    return nil
  }
}
