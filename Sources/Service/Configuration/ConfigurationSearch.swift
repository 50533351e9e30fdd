import Glibc
import Platform

/// The places where a configuration file is searched if the command line names none.
package struct ConfigurationSearch: Sendable, Equatable {
  /// In the order of search.
  package let files: [String]

  package init(files: [String]) { self.files = files }

  /// `$XDG_CONFIG_HOME/hotword/NAME`, or below `~/.config`; then `/etc/hotword/NAME`.
  ///
  /// - Parameters:
  ///   - name: config.yaml for `run`, satellite.yaml for `satellite`.
  ///   - environment: looks up `XDG_CONFIG_HOME` and `HOME`.
  package static func standard(
    _ name: String = "config.yaml", environment: (String) -> String? = UserFolders.variable
  ) -> ConfigurationSearch {
    ConfigurationSearch(
      files: [UserFolders.configuration(name, environment: environment), "/etc/hotword/\(name)"])
  }

  /// The first that exists; nil for none.
  package var first: String? { files.first(where: Files.exists) }
}
