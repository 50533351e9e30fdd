import Clips
import CommandLineParsing
import Networking
import Platform

/// The options that several commands have, as values.
extension Arguments {
  /// The folder of `--keep`; nil without the option.
  func clipFolder() throws(UsageFault) -> String? {
    guard let folder = value("--keep") else { return nil }
    guard !folder.isEmpty else { throw badValue("--keep", "a folder") }
    return UserFolders.expanded(folder)
  }

  /// The value of `--keep-limit`; nil without the option.
  func clipLimit() throws(UsageFault) -> ClipLimit? {
    guard let text = value("--keep-limit") else { return nil }
    guard let limit = ClipLimit(text) else { throw badValue("--keep-limit", ClipLimit.expected) }
    return limit
  }

  /// The address of `--metrics`; nil without the option.
  package func metricsAddress() throws(UsageFault) -> HTTPAddress? {
    guard let text = value("--metrics") else { return nil }
    guard let address = HTTPAddress(text) else { throw badValue("--metrics", HTTPAddress.expected) }
    return address
  }
}
