import Glibc
import Platform

/// The places where a configuration file is searched if the command line names none.
package struct ConfigurationSearch: Sendable, Equatable {
  /// In the order of search.
  package let files: [String]

  package init(files: [String]) { self.files = files }

  /// `$XDG_CONFIG_HOME/hotword/config.yaml`, or below `~/.config`; then `/etc/hotword/config.yaml`.
  ///
  /// - Parameter environment: looks up `XDG_CONFIG_HOME` and `HOME`.
  package static func standard(
    environment: (String) -> String? = UserFolders.variable
  ) -> ConfigurationSearch {
    ConfigurationSearch(
      files: [UserFolders.configuration("config.yaml", environment: environment), "/etc/hotword/config.yaml"])
  }

  /// The first that exists; nil for none.
  package var first: String? { files.first(where: Files.exists) }
}
