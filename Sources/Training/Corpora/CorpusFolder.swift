import Platform

/// A folder that tells by itself what is said in its recordings and by whom.
public struct CorpusFolder: Sendable {
  public enum Layout: Sendable, Equatable {
    case commonVoice
    case speechCommands
    case kaldi
  }

  public let path: String
  public let layout: Layout
  /// Those that are there, sorted by path.
  public let recordings: [CorpusRecording]
  /// How many the tables name that are not there.
  public let missing: Int

  /// Bytes of the largest table that is read.
  private static let limit = 1 << 31

  /// Reads the folder at `path`; nil where it has none of the layouts.
  ///
  /// Common Voice: `clips` beside tables with the columns `path` and `sentence`, of which `validated.tsv` is read, or
  /// else all. Kaldi: `wav.scp`. Speech Commands: nothing but folders, and in them nothing but
  /// files with names like `SPEAKER_nohash_0.wav`.
  /// - Throws: ``CorpusFault``.
  public init?(_ path: String) throws(CorpusFault) {
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
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

  /// What recordings are wanted for.
  public enum Use: Sendable, Equatable {
    /// As the phrase.
    case phrase(String)
    /// As anything but the phrase.
    case others(than: String)
    case noise
  }

  /// Those to be used so.
  public func recordings(for use: Use) -> [CorpusRecording] {
    switch use {
    case .phrase(let phrase): recordings(of: phrase)
    case .others(let phrase): recordings(without: phrase)
    case .noise: noise
    }
  }

  /// Those in which the phrase, and nothing else, is said.
  public func recordings(of phrase: String) -> [CorpusRecording] {
    let phrase = NormalizedText(phrase)
    return recordings.filter { $0.text.map { NormalizedText($0) == phrase } ?? false }
  }

  /// Those in which something else is said, and the phrase nowhere in it.
  public func recordings(without phrase: String) -> [CorpusRecording] {
    let phrase = NormalizedText(phrase)
    return recordings.filter { $0.text.map { !NormalizedText($0).contains(phrase) } ?? false }
  }

  /// Background sounds.
  public var noise: [CorpusRecording] { recordings.filter { $0.text == nil } }

  /// The path without the seconds behind it.
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

  /// The tables of clips among `names`.
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
      // As they are from the working folder, as Kaldi has them, or else from the corpus's own.
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

/// A recording, or a part of one, as its corpus tells of it.
public struct CorpusRecording: Sendable, Equatable {
  /// The file; of a part with its seconds behind, as in `talk.wav#t=1.5,2.25`.
  public let path: String
  /// Who speaks: recordings of one speaker are never split between training and measuring.
  public let speaker: String
  /// What is said; nil for noise.
  public let text: String?
  /// What the corpus itself wants it for; nil where it leaves that open.
  public let part: Part?

  /// What a corpus wants recordings for.
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
