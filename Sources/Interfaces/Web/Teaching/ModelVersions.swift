import Detection
import Glibc
import Platform

/// The versions of a model: the installed one, a candidate that replaces it, and the one that it has replaced.
struct ModelVersions: Sendable {
  enum Version: String, Sendable, CaseIterable {
    case candidate, installed, previous
  }

  let name: String
  private let candidate: String
  /// The installed model's file; nil if there is none.
  private let installed: String?
  /// Where a candidate is installed so that it is the one that is found by name.
  private let destination: String

  init(_ name: String, candidate: String, in store: ModelStore, userFolder: String) {
    self.name = name
    self.candidate = candidate
    installed = store.list().first { $0.name == name }?.path
    let users = store.folders.firstIndex(of: userFolder) ?? 0
    let isFoundFirst = installed.map { path in
      store.folders[..<users].contains { path == "\($0)/\(name)\(ModelStore.suffix)" }
    }
    destination = isFoundFirst == true ? installed! : "\(userFolder)/\(name)\(ModelStore.suffix)"
  }

  /// The file of a version; nil if there is none.
  func path(_ version: Version) -> String? {
    switch version {
    case .candidate: Files.exists(candidate) ? candidate : nil
    case .installed: installed
    case .previous: Files.exists(Self.previous(destination)) ? Self.previous(destination) : nil
    }
  }

  /// Installs the candidate; the model that it replaces becomes the previous one.
  ///
  /// - Returns: the path of the installed model.
  func use() throws -> String {
    if let folder = destination.lastIndex(of: "/") { try Files.createFolder(String(destination[..<folder])) }
    if let installed { try Self.copy(installed, to: destination, asPrevious: true) }
    try Self.copy(candidate, to: destination, asPrevious: false)
    try discard()
    return destination
  }

  /// Deletes the candidate.
  func discard() throws {
    for file in [candidate, Self.card(candidate)] where unlink(file) != 0 && errno != ENOENT {
      throw SystemFault.cannotWrite(path: file, code: errno)
    }
  }

  /// Exchanges the installed model and the previous one.
  ///
  /// - Returns: the path of the installed model.
  func restore() throws -> String {
    for file in [destination, Self.card(destination)] where Files.exists(Self.previous(file)) {
      let (current, previous) = (try Files.read(file), try Files.read(Self.previous(file)))
      try Files.write(previous, to: file)
      try Files.write(current, to: Self.previous(file))
    }
    return destination
  }

  /// Whether the installed model is one of the user's own, which can be removed.
  var isRemovable: Bool { installed == destination }

  /// Deletes the user's own installed model with its previous version; a shipped one of the same name is found again then.
  func remove() throws {
    for file in [destination, Self.card(destination)].flatMap({ [$0, Self.previous($0)] })
    where unlink(file) != 0 && errno != ENOENT {
      throw SystemFault.cannotWrite(path: file, code: errno)
    }
  }

  /// Copies a model with its card, if it has one, each by rename.
  private static func copy(_ path: String, to target: String, asPrevious isPrevious: Bool) throws {
    for (file, copy) in [(path, target), (card(path), card(target))] where Files.exists(file) {
      try Files.write(Files.read(file), to: isPrevious ? previous(copy) : copy)
    }
  }

  private static func card(_ path: String) -> String {
    (path.hasSuffix(ModelStore.suffix) ? String(path.dropLast(ModelStore.suffix.count)) : path) + ".md"
  }

  private static func previous(_ path: String) -> String { path + ".previous" }
}
