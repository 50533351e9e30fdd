import Platform

/// A file that the page shows, checks and saves.
package struct EditedFile: Sendable {
  package let path: String
  /// All faults of the file, if it had these contents.
  package let check: @Sendable (_ text: [UInt8]) -> [any Fault]

  package init(_ path: String, check: @escaping @Sendable (_ text: [UInt8]) -> [any Fault]) {
    self.path = path
    self.check = check
  }
}
