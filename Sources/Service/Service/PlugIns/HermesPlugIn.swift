import Configuration
import Hermes
import Networking

extension PlugIns {
  /// The bridge to the broker that `--hermes` names.
  ///
  /// - Parameter bringsAudio: whether the site's audio comes from the broker.
  package static func hermes(_ name: String, bringsAudio: Bool) throws -> HermesBridge {
    let expected = "mqtt://HOST[:PORT]"
    let plugIn = try PlugInName(name)
    try plugIn.check(options: ["user", "password", "ca", "site", "dialogue"])
    let broker = try broker(plugIn, expected: expected)
    guard ["", "/"].contains(broker.address.target) else {
      throw NetworkFault.badAddress(plugIn.address, expected: expected)
    }
    var settings = HermesSettings()
    settings.site = plugIn["site"] ?? settings.site
    guard MQTTBroker.isTopic(settings.site), !settings.site.contains("/") else {
      throw ServiceFault.badSite(settings.site)
    }
    let manager = plugIn["dialogue"] ?? "here"
    guard ["here", "elsewhere"].contains(manager) else { throw ServiceFault.badDialogueManager(manager) }
    settings.managesDialogues = manager == "here"
    return try HermesBridge(broker, settings, bringsAudio: bringsAudio)
  }
}
