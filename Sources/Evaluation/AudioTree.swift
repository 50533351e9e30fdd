import Glibc
import Platform

/// The audio files below some folders, each with the part of the tree that it belongs to.
package struct AudioTree: Sendable {
  /// One file.
  package struct File: Sendable, Equatable {
    package let path: String
    /// The folder just below the one given, or that one's own name where the file lies in it directly; with
    /// several folders given, `GIVEN/BELOW`.
    package let part: String
    /// The path with its links followed.
    package let identity: String
  }

  package let files: [File]
  /// The folders as they were given, without a slash at their ends.
  package let folders: [String]

  private static let endings: Set<String> = [
    "wav", "wave", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "aifc", "au", "snd", "sph", "nist",
    "w64", "caf", "voc", "rf64",
  ]

  /// Finds the files, sorted by path within each folder; one that is reached twice counts once.
  ///
  /// - Throws: ``EvaluationFault/noFolder(_:)`` and ``EvaluationFault/nothingReadable(_:)`` for each folder alone,
  ///   `SystemFault`.
  package init(_ folders: [String]) throws {
    self.folders = folders.map(Self.trimmed)
    var seen: Set<String> = []
    var files: [File] = []
    for folder in self.folders {
      guard Files.isDirectory(folder) else { throw EvaluationFault.noFolder(folder) }
      let found = try Files.list(below: folder).filter { path in
        guard let dot = path.lastIndex(of: ".") else { return false }
        return Self.endings.contains(path[path.index(after: dot)...].lowercased())
      }
      guard !found.isEmpty else { throw EvaluationFault.nothingReadable(folder) }
      let own = folder.split(separator: "/").last.map(String.init) ?? folder
      for path in found {
        let identity = Self.resolved(path)
        guard seen.insert(identity).inserted else { continue }
        let below = path.dropFirst(folder.count).split(separator: "/").dropLast().first.map(String.init)
        let part = folders.count > 1 ? below.map { "\(own)/\($0)" } ?? own : below ?? own
        files.append(File(path: path, part: part, identity: identity))
      }
    }
    self.files = files
  }

  private static func trimmed(_ folder: String) -> String {
    var folder = folder
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder
  }

  /// The path with its links followed; itself where it leads nowhere.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
