import Platform

/// A folder with recordings, their transcripts and their speakers, in a published layout.
public struct CorpusFolder: Sendable {
  public enum Layout: Sendable, Equatable {
    case commonVoice
    case speechCommands
    case kaldi
  }

  public let path: String
  public let layout: Layout
  /// The recordings that exist, sorted by path.
  public let recordings: [CorpusRecording]
  /// The number of listed recordings that do not exist.
  public let missing: Int

  /// The size limit of a table, in bytes.
  private static let limit = 1 << 31

  /// Reads the folder at `path`. Returns nil if it has none of the layouts.
  ///
  /// Common Voice: a folder `clips` next to tables with the columns `path` and `sentence`; `validated.tsv` is
  /// read if it exists, otherwise all tables. Kaldi: `wav.scp`. Speech Commands: only folders, which contain
  /// only files named like `SPEAKER_nohash_0.wav`.
  /// - Throws: ``CorpusFault``.
  public init?(_ path: String) throws(CorpusFault) {
    let folder = Files.withoutTrailingSlashes(path)
    guard let layout = Self.layout(of: folder) else { return nil }
    self.path = folder
    self.layout = layout
    let found: [CorpusRecording]
    switch layout {
    case .commonVoice: found = try Self.commonVoice(folder)
    case .speechCommands: found = Self.speechCommands(folder)
    case .kaldi: found = try Self.kaldi(folder)
    }
    let there = found.filter { Files.exists(Self.file(of: $0.path)) }
    if there.isEmpty, let first = found.first {
      throw .noRecordings(folder: folder, first: Self.file(of: first.path))
    }
    recordings = there.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    missing = found.count - there.count
  }

  /// Whether some recordings are for testing alone.
  public var hasTestingPart: Bool { recordings.contains { $0.part == .testing } }

  /// The purpose for which recordings are selected.
  public enum Use: Sendable, Equatable {
    /// Recordings of the phrase.
    case phrase(String)
    /// Recordings without the phrase.
    case others(than: String)
    case noise
  }

  /// Returns the recordings for `use`.
  public func recordings(for use: Use) -> [CorpusRecording] {
    switch use {
    case .phrase(let phrase): recordings(of: phrase)
    case .others(let phrase): recordings(without: phrase)
    case .noise: noise
    }
  }

  /// Returns the recordings whose transcript is exactly `phrase`.
  public func recordings(of phrase: String) -> [CorpusRecording] {
    let phrase = TranscriptWords(phrase)
    return recordings.filter { $0.text.map { TranscriptWords($0) == phrase } ?? false }
  }

  /// Returns the recordings whose transcript does not contain `phrase`.
  public func recordings(without phrase: String) -> [CorpusRecording] {
    let phrase = TranscriptWords(phrase)
    return recordings.filter { $0.text.map { !TranscriptWords($0).contains(phrase) } ?? false }
  }

  /// Recordings of background noise.
  public var noise: [CorpusRecording] { recordings.filter { $0.text == nil } }

  /// Returns the path without its time range.
  private static func file(of path: String) -> String {
    guard let mark = path.firstRange(of: "#t="), !Files.exists(path) else { return path }
    return String(path[..<mark.lowerBound])
  }

  private static func layout(of folder: String) -> Layout? {
    guard let names = try? Files.names(in: folder) else { return nil }
    if names.contains("wav.scp") { return .kaldi }
    if names.contains("clips"), !tables(names, in: folder).isEmpty { return .commonVoice }
    let words = names.filter { $0 != SpeechCommands.noiseFolder && Files.isDirectory("\(folder)/\($0)") }
    let isWords = words.allSatisfy { word in
      let files = (try? Files.names(in: "\(folder)/\(word)")) ?? []
      return !files.isEmpty && files.allSatisfy { SpeechCommands.speaker(of: $0) != nil }
    }
    return isWords && !words.isEmpty ? .speechCommands : nil
  }

  /// Returns those of `names` that are tables of clips.
  private static func tables(_ names: [String], in folder: String) -> [String] {
    names.filter { name in
      name.hasSuffix(".tsv") && CommonVoice.isTable(Files.head("\(folder)/\(name)", count: 64 << 10))
    }
  }

  private static func commonVoice(_ folder: String) throws(CorpusFault) -> [CorpusRecording] {
    let validated = "validated.tsv"
    var tables = tables(try names(in: folder), in: folder)
    if tables.contains(validated) { tables = [validated] }
    var seen: Set<String> = []
    var recordings: [CorpusRecording] = []
    for table in tables {
      let path = "\(folder)/\(table)"
      for clip in try CommonVoice.parse(try read(path), table: path) where seen.insert(clip.path).inserted {
        recordings.append(
          CorpusRecording(path: "\(folder)/clips/\(clip.path)", speaker: clip.client, text: clip.sentence))
      }
    }
    return recordings
  }

  private static func speechCommands(_ folder: String) -> [CorpusRecording] {
    let names = (try? Files.names(in: folder)) ?? []
    let paths = names.flatMap { word in
      ((try? Files.names(in: "\(folder)/\(word)")) ?? []).map { "\(word)/\($0)" }
    }
    func list(_ name: String) -> [UInt8] { (try? Files.read("\(folder)/\(name)")) ?? [] }
    return SpeechCommands.recordings(
      paths, in: folder, validation: list("validation_list.txt"), testing: list("testing_list.txt"))
  }

  private static func kaldi(_ folder: String) throws(CorpusFault) -> [CorpusRecording] {
    func bytes(_ name: String) throws(CorpusFault) -> [UInt8]? {
      Files.exists("\(folder)/\(name)") ? try read("\(folder)/\(name)") : nil
    }
    guard let text = try bytes("text") else { throw .missingFile("\(folder)/text") }
    let tables = Kaldi.Tables(
      wavScp: try read("\(folder)/wav.scp"), text: text, segments: try bytes("segments"),
      speakers: try bytes("utt2spk"))
    return try Kaldi.recordings(tables, folder: folder).map { recording in
      // Paths are relative to the working folder, as in Kaldi, or else to the corpus folder.
      let path = recording.path
      guard !path.hasPrefix("/"), !Files.exists(file(of: path)) else { return recording }
      return CorpusRecording(path: "\(folder)/\(path)", speaker: recording.speaker, text: recording.text)
    }
  }

  private static func names(in folder: String) throws(CorpusFault) -> [String] {
    do {
      return try Files.names(in: folder)
    } catch {
      throw .system(error)
    }
  }

  private static func read(_ path: String) throws(CorpusFault) -> [UInt8] {
    do {
      return try Files.read(path, limit: limit)
    } catch {
      throw .system(error)
    }
  }
}

/// A recording, or a part of one, as listed in its corpus.
public struct CorpusRecording: Sendable, Equatable {
  /// The file. A part has a time range in seconds, as in `talk.wav#t=1.5,2.25`.
  public let path: String
  /// The speaker. The recordings of one speaker are never split between training and evaluation.
  public let speaker: String
  /// The transcript; nil for noise.
  public let text: String?
  /// The part assigned by the corpus; nil if it assigns none.
  public let part: Part?

  /// The purpose that a corpus assigns to a recording.
  public enum Part: Sendable, Equatable {
    case training
    case validation
    case testing
  }

  public init(path: String, speaker: String, text: String?, part: Part? = nil) {
    self.path = path
    self.speaker = speaker
    self.text = text
    self.part = part
  }
}
