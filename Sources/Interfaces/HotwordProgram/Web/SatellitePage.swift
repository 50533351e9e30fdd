import CommandLineParsing
import Configuration
import Detection
import Service
import Supervision
import Web
import WyomingServer

/// The page for browsers of a satellite: its own stream, and what happens with Home Assistant.
final class SatellitePage: Sendable {
  private let settings: ServiceSettings
  /// What the page shows.
  let live: LiveTap
  /// Changes for the listening loop.
  let sensitivities = SensitivityRequests()

  /// nil if the settings have no page.
  ///
  /// - Parameter spotter: before any thread uses it.
  init?(_ satellite: SatelliteSettings, _ spotter: KeywordSpotter) {
    if satellite.web.endpoint == nil { return nil }
    settings = satellite.shown
    live = LiveTap(settings)
    live.use(spotter, settings)
  }

  /// Serves the page.
  func serve(
    _ link: SatelliteLink, _ spotter: KeywordSpotter, _ home: any SatelliteProtocol,
    _ supervisor: Supervisor<SatelliteMetrics>, isESPHome: Bool,
    load: @escaping @Sendable (_ text: [UInt8]?) -> LoadedSettings
  ) throws -> WebServer {
    let levels = SatelliteLevels(spotter)
    let service = RunningService(
      live: live,
      health: { supervisor.health(also: link.isConnected ? [] : ["Home Assistant is not connected"]) },
      connections: {
        [
          ServiceConnection(
            "Home Assistant", link.peer ?? "none", isConnected: link.isConnected,
            detail: isESPHome ? "ESPHome's native API" : "Wyoming")
        ]
      },
      setSensitivity: { [self] name, sensitivity in
        // The listening loop shows it then.
        if !home.setSensitivity(sensitivity, of: name) { change(name, sensitivity, levels) }
      })
    let settings = settings
    return try WebPage.serve(
      settings.web, service, views: [.live, .state], isOfService: false, settings: { settings }, load: load)
  }

  /// Shows the sensitivities of the spotter, from the thread that uses it.
  func follow(_ spotter: KeywordSpotter) { live.use(spotter, settings) }

  private func change(_ name: String, _ sensitivity: Sensitivity, _ levels: SatelliteLevels) {
    guard let model = live.models.firstIndex(where: { $0.name == name }) else { return }
    let new = levels.levels(sensitivity, of: model)
    guard sensitivities.put(new, of: model) else { return }
    live.change(sensitivity: sensitivity.value, threshold: new.usual.threshold, of: model)
  }
}

/// Computes the levels of sensitivities from the calibration of a spotter's models, which does not change.
private struct SatelliteLevels: @unchecked Sendable {
  private let spotter: KeywordSpotter

  init(_ spotter: KeywordSpotter) { self.spotter = spotter }

  func levels(_ sensitivity: Sensitivity, of model: Int) -> SensitivityLevels {
    SensitivityLevels(sensitivity, of: model, spotter)
  }
}
