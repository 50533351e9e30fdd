import AudioCapture
import Corpora
import Platform

/// The audio files in some folders, each with its part of the folder tree.
package struct AudioTree: Sendable {
  /// One file.
  package struct File: Sendable, Equatable {
    package let path: String
    /// The first folder below the given one, or the given folder's name if the file is directly in it. If
    /// several folders are given, `GIVEN/BELOW`.
    package let part: String
    /// The path with symbolic links resolved.
    package let identity: String
  }

  package let files: [File]
  /// The given folders, without trailing slashes.
  package let folders: [String]

  /// Finds the files and sorts them by path within each folder. A file that is reached twice counts once.
  ///
  /// - Parameter wanted: the recordings to select from a corpus. If the corpus has a testing part, only that
  ///   is used, without the noise, which trains.
  /// - Throws: ``EvaluationFault/phraseNotSaid(folder:phrase:)``, ``EvaluationFault/nothingToTest(_:)``,
  ///   ``EvaluationFault/nothingReadable(_:)``, `CorpusFault`, `SystemFault`.
  package init(_ folders: [String], as wanted: CorpusFolder.Use? = nil) throws {
    self.folders = folders.map(Files.withoutTrailingSlashes)
    var seen: Set<String> = []
    var files: [File] = []
    for folder in self.folders {
      guard Files.isDirectory(folder) else { throw CorpusFault.noFolder(folder) }
      let own = folder.split(separator: "/").last.map(String.init) ?? folder
      if let wanted, let corpus = try Self.files(of: folder, named: folders.count > 1 ? own : nil, as: wanted)
      {
        files += corpus.filter { seen.insert($0.identity).inserted }
        continue
      }
      let found = try Files.list(below: folder).filter(AudioFile.hasAudioEnding)
      guard !found.isEmpty else { throw EvaluationFault.nothingReadable(folder) }
      for path in found {
        let identity = Files.resolved(path)
        guard seen.insert(identity).inserted else { continue }
        let below = path.dropFirst(folder.count).split(separator: "/").dropLast().first.map(String.init)
        let part = folders.count > 1 ? below.map { "\(own)/\($0)" } ?? own : below ?? own
        files.append(File(path: path, part: part, identity: identity))
      }
    }
    self.files = files
  }

  /// Returns the files of a corpus; nil for other folders.
  ///
  /// - Parameter name: the prefix of the parts.
  private static func files(
    of folder: String, named name: String?, as wanted: CorpusFolder.Use
  ) throws -> [File]? {
    guard let corpus = try CorpusFolder(folder), wanted != .noise || !corpus.noise.isEmpty else { return nil }
    var found = corpus.recordings(for: wanted)
    let hasTestingPart = corpus.hasTestingPart && wanted != .noise
    if hasTestingPart {
      found.removeAll { $0.part != .testing }
    } else if case .others = wanted {
      found += corpus.noise
    }
    if found.isEmpty {
      if case .phrase(let phrase) = wanted {
        throw EvaluationFault.phraseNotSaid(folder: folder, phrase: phrase)
      }
      if hasTestingPart { throw EvaluationFault.nothingToTest(folder) }
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
        return File(path: recording.path, part: own, identity: Files.resolved(recording.path))
      }
      return File(
        path: recording.path, part: name.map { "\($0)/\(part)" } ?? part,
        identity: Files.resolved(recording.path))
    }
  }

  /// The number of characters of a speaker's name that are shown. Common Voice's names have 128.
  private static let longestSpeaker = 12
}
