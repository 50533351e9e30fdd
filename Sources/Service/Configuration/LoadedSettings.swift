import CommandLineParsing
import Platform

/// The settings of a `run` command line with those of its configuration file, and all their faults.
package struct LoadedSettings: Sendable {
  package private(set) var settings = ServiceSettings()
  /// The configuration file; nil if there is none.
  package let file: String?
  /// Whether the command line names it.
  package let isNamed: Bool
  /// In the order of the file, then the command line's.
  package private(set) var faults: [any Fault] = []

  /// Reads the file that `--config` names, or the first that `search` finds, and what the options override.
  package init(_ arguments: Arguments, search: ConfigurationSearch = .standard()) {
    isNamed = arguments.has("--config")
    file = arguments.value("--config") ?? search.first
    if let file { faults = settings.read(file) }
    do {
      try settings.take(arguments)
    } catch let fault as any Fault {
      faults.append(fault)
    } catch {
      fatalError("unreachable: \(error)")
    }
  }

  /// Settings that come from nowhere else.
  package init(_ settings: ServiceSettings) {
    self.settings = settings
    file = nil
    isNamed = false
  }

  /// The settings, if they have no faults.
  ///
  /// - Throws: the last of ``faults``; the others are logged.
  package func checked() throws -> ServiceSettings {
    try throwAll(faults)
    return settings
  }
}
