import AudioCapture
import Corpora
import Platform

/// The audio files in a folder, each with its group of recordings.
package struct AudioFolder: Sendable {
  /// One file.
  package struct Clip: Sendable, Equatable {
    package let path: String
    /// The session, speaker or file. The recordings of one group are never split between training and
    /// held-out data.
    package var group: String
    /// Whether the corpus assigns it to the held-out data; nil if the corpus does not say.
    package var isHeldOut: Bool?
    /// Whether the corpus has its transcript.
    package var isTranscribed = false
    /// Whether nothing tells who speaks, so that the group is the file's name.
    package var isAlone = false
  }

  package let path: String
  package let clips: [Clip]
  /// The excluded files with the reasons.
  package private(set) var leftOut: [String] = []

  /// Finds the audio files in `path`, sorted by path.
  ///
  /// Groups come from `sessions.tsv` (a path relative to it, a tab, the session) in the folder or one of the
  /// two above it, or else from names that start with a speaker (`SPEAKER_nohash_N`, `SPEAKER-CHAPTER-N`).
  /// Otherwise each file is its own group.
  /// - Parameter wanted: the recordings to select from a corpus; its testing part is never used.
  /// - Throws: `CorpusFault`, ``TrainingFault/nothingReadable(folder:use:)``, `SystemFault`.
  package init(_ path: String, use: String, as wanted: CorpusFolder.Use? = nil) throws {
    let path = Files.withoutTrailingSlashes(path)
    guard Files.isDirectory(path) else { throw CorpusFault.noFolder(path) }
    self.path = path
    if let wanted, let corpus = try CorpusFolder(path), wanted != .noise || !corpus.noise.isEmpty {
      clips = corpus.recordings(for: wanted).filter { $0.part != .testing }.map { recording in
        var clip = Clip(path: recording.path, group: recording.speaker)
        clip.isHeldOut = recording.part.map { $0 == .validation }
        clip.isTranscribed = true
        return clip
      }
      if corpus.missing > 0 {
        leftOut.append("\(path): \(corpus.missing) recordings in its tables do not exist")
      }
      guard clips.isEmpty else { return }
      if case .phrase(let phrase) = wanted { throw TrainingFault.phraseNotSaid(folder: path, phrase: phrase) }
      throw TrainingFault.nothingReadable(folder: path, use: use)
    }
    let sessions = Self.sessions(above: path)
    clips = try Files.list(below: path).filter(AudioFile.hasAudioEnding).map { path in
      if let session = sessions[Files.resolved(path)] { return Clip(path: path, group: session) }
      let speaker = Self.speaker(of: path)
      return Clip(path: path, group: Self.speakerOrFile(of: path), isAlone: speaker == nil)
    }
    guard !clips.isEmpty else { throw TrainingFault.nothingReadable(folder: path, use: use) }
  }

  /// Returns the name of the folder that contains a file.
  static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().last.map(String.init) ?? ""
  }

  /// Returns the speaker in the file's name, or else the file's name.
  static func speakerOrFile(of path: String) -> String { speaker(of: path) ?? file(of: path) }

  private static func file(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the speaker in the file's name; nil if there is none.
  static func speaker(of path: String) -> String? {
    let name = file(of: path)
    if let mark = range(of: "_nohash_", in: name) { return String(name[..<mark]) }
    let parts = name.split(separator: "-")
    if parts.count == 3, parts[0].allSatisfy(\.isNumber), parts[1].allSatisfy(\.isNumber) {
      return "reader \(parts[0])"
    }
    return nil
  }

  private static func range(of needle: String, in text: String) -> String.Index? {
    var index = text.startIndex
    while index < text.endIndex {
      if text[index...].hasPrefix(needle) { return index }
      index = text.index(after: index)
    }
    return nil
  }

  private static func sessions(above folder: String) -> [String: String] {
    var base = Files.resolved(folder)
    for _ in 0..<3 {
      if let bytes = try? Files.read("\(base)/sessions.tsv", limit: 64 << 20) {
        var sessions: [String: String] = [:]
        for line in bytes.split(separator: 10) {
          let fields = line.split(separator: 9)
          guard fields.count >= 2 else { continue }
          let file = String(decoding: fields[0], as: UTF8.self)
          sessions["\(base)/\(file)"] = "session \(String(decoding: fields[1], as: UTF8.self))"
        }
        return sessions
      }
      guard let slash = base.lastIndex(of: "/"), slash != base.startIndex else { break }
      base = String(base[..<slash])
    }
    return [:]
  }
}

/// Returns a stable hash of a text (FNV-1a), for splits that do not depend on order or machine.
package func stableHash(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 {
    hash ^= UInt64(byte)
    hash &*= 0x0000_0100_0000_01B3
  }
  // The low bits of FNV vary little for short texts.
  hash ^= hash >> 29
  hash &*= 0xBF58_476D_1CE4_E5B9
  return hash ^ (hash >> 32)
}
