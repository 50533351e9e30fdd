import Corpora
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
  /// - Parameter wanted: in a corpus, which of its recordings: those for testing, where it has some.
  /// - Throws: ``EvaluationFault/noFolder(_:)``, ``EvaluationFault/phraseNotSaid(folder:phrase:)``, `CorpusFault` and ``EvaluationFault/nothingReadable(_:)`` for each folder alone,
  ///   `SystemFault`.
  package init(_ folders: [String], as wanted: CorpusFolder.Use? = nil) throws {
    self.folders = folders.map(Self.trimmed)
    var seen: Set<String> = []
    var files: [File] = []
    for folder in self.folders {
      guard Files.isDirectory(folder) else { throw EvaluationFault.noFolder(folder) }
      let own = folder.split(separator: "/").last.map(String.init) ?? folder
      if let wanted, let corpus = try Self.files(of: folder, named: folders.count > 1 ? own : nil, as: wanted)
      {
        files += corpus.filter { seen.insert($0.identity).inserted }
        continue
      }
      let found = try Files.list(below: folder).filter { path in
        guard let dot = path.lastIndex(of: ".") else { return false }
        return Self.endings.contains(path[path.index(after: dot)...].lowercased())
      }
      guard !found.isEmpty else { throw EvaluationFault.nothingReadable(folder) }
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

  /// The files of a corpus; nil for other folders.
  ///
  /// - Parameter name: stands before the parts.
  private static func files(
    of folder: String, named name: String?, as wanted: CorpusFolder.Use
  ) throws -> [File]? {
    guard let corpus = try CorpusFolder(folder), wanted != .noise || !corpus.noise.isEmpty else { return nil }
    var found = corpus.recordings(for: wanted)
    if found.contains(where: { $0.part == .testing }) { found.removeAll { $0.part != .testing } }
    if case .others = wanted { found += corpus.noise }
    if found.isEmpty {
      if case .phrase(let phrase) = wanted {
        throw EvaluationFault.phraseNotSaid(folder: folder, phrase: phrase)
      }
      throw EvaluationFault.nothingReadable(folder)
    }
    let own = folder.split(separator: "/").last.map(String.init) ?? folder
    return found.map { recording in
      let part: String
      if case .phrase = wanted {
        part = String(recording.speaker.prefix(longestSpeaker))
      } else if corpus.layout == .speechCommands {
        part = recording.path.dropFirst(folder.count).split(separator: "/").first.map(String.init) ?? own
      } else {
        return File(path: recording.path, part: own, identity: resolved(recording.path))
      }
      return File(
        path: recording.path, part: name.map { "\($0)/\(part)" } ?? part, identity: resolved(recording.path))
    }
  }

  /// Characters of a speaker's name that are shown: Common Voice has 128.
  private static let longestSpeaker = 12

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
