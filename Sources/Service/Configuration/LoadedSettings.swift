import CommandLineParsing
import Platform

/// The settings of a `run` command line with those of its configuration file, and all their faults.
package struct LoadedSettings: Sendable {
  package private(set) var settings = ServiceSettings()
  /// All of a satellite's settings; nil for a service.
  package let satellite: SatelliteSettings?
  /// The configuration file; nil if there is none.
  package let file: String?
  /// Whether the command line names it.
  package let isNamed: Bool
  /// In the order of the file, then the command line's.
  package private(set) var faults: [any Fault] = []

  /// Reads the file that `--config` names, or the first that `search` finds, and what the options override.
  ///
  /// - Parameter text: what the file shall contain, to check it before it is written; nil to read the file.
  package init(
    _ arguments: Arguments, search: ConfigurationSearch = .standard(), text: [UInt8]? = nil
  ) {
    satellite = nil
    isNamed = arguments.has("--config")
    file = arguments.value("--config") ?? search.first
    if let file { faults = settings.read(file, text: text) }
    if let fault = fault(of: { try settings.take(arguments) }) { faults.append(fault) }
    if let fault = settings.web.fault { faults.append(fault) }
  }

  /// Those of the settings of a `satellite` command line that a service has too, and all faults of the satellite's.
  ///
  /// - Parameter text: what the file shall contain; nil to read the file.
  package init(satellite arguments: Arguments, text: [UInt8]? = nil) {
    let loaded = SatelliteSettings.load(arguments, text: text)
    file = loaded.file
    isNamed = arguments.has("--config")
    faults = loaded.faults
    satellite = loaded.settings
    settings = loaded.settings.shown
  }

  /// Settings that come from nowhere else.
  package init(_ settings: ServiceSettings) {
    self.settings = settings
    satellite = nil
    file = nil
    isNamed = false
  }

  /// Changes the models.
  mutating func replaceModels(_ change: (inout [String]) -> Void) { change(&settings.models) }

  /// The settings, if they have no faults.
  ///
  /// - Throws: the last of ``faults``; the others are logged.
  package func checked() throws -> ServiceSettings {
    try throwAll(faults)
    return settings
  }
}
