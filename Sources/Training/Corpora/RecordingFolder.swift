import AudioCapture
import Glibc
import Platform

/// A folder in the layout of Common Voice, to which recordings are added.
public struct RecordingFolder: Sendable {
  public let path: String
  private let speaker: String
  private let phrase: String
  private let locale: String

  private var table: String { "\(path)/validated.tsv" }

  /// Creates the folder if it does not exist, and checks that it can be written to.
  ///
  /// - Throws: `SystemFault`; `CorpusFault` for an invalid table.
  public init(_ path: String, speaker: String, phrase: String, locale: String) throws {
    let path = Files.withoutTrailingSlashes(path)
    self.path = path
    self.speaker = speaker
    self.phrase = phrase
    self.locale = locale
    try Files.createFolder("\(path)/clips", mode: 0o700)
    try Files.checkWritable(table)
    _ = try clips()
  }

  /// The number of recordings of the phrase by this speaker.
  public func count() throws -> Int {
    let wanted = TranscriptWords(phrase)
    return try clips().count { $0.client == speaker && TranscriptWords($0.sentence) == wanted }
  }

  /// The recordings of the phrase by all speakers, in the order of the table; without those whose file is missing.
  public func recordings() throws -> [CommonVoice.Clip] {
    let wanted = TranscriptWords(phrase)
    return try clips().filter { TranscriptWords($0.sentence) == wanted && Files.exists(file(of: $0)) }
  }

  /// The path of a recording's file.
  public func file(of recording: CommonVoice.Clip) -> String { "\(path)/clips/\(recording.path)" }

  /// Removes a recording: first its line in the table, then the file.
  public func remove(_ recording: CommonVoice.Clip) throws {
    try Files.write(CommonVoice.removing(recording.path, from: try bytes()), to: table, mode: 0o600)
    guard unlink(file(of: recording)) == 0 || errno == ENOENT else {
      throw SystemFault.cannotWrite(path: file(of: recording), code: errno)
    }
  }

  /// Adds a recording: first the clip, then its line in the table. A failure leaves the existing recordings unchanged.
  ///
  /// - Returns: the recording.
  @discardableResult public func add(_ samples: [Int16]) throws -> CommonVoice.Clip {
    let taken = Set(try Files.names(in: "\(path)/clips"))
    let stem = "\(Self.fileName(phrase))_\(Self.fileName(speaker))"
    let name = (1...).lazy.map { "\(stem)_\(Self.padded($0)).wav" }.first { !taken.contains($0) }!
    try AudioFile.write(samples, to: "\(path)/clips/\(name)")
    let clip = CommonVoice.Clip(client: speaker, path: name, sentence: phrase, locale: locale)
    try Files.write(CommonVoice.appending([clip], to: try bytes()), to: table, mode: 0o600)
    return clip
  }

  private func clips() throws -> [CommonVoice.Clip] {
    let bytes = try bytes()
    return bytes.isEmpty ? [] : try CommonVoice.parse(bytes, table: table)
  }

  private func bytes() throws(SystemFault) -> [UInt8] { Files.exists(table) ? try Files.read(table) : [] }

  /// The ASCII letters and digits of `text`, with `_` for everything between them.
  private static func fileName(_ text: String) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "x" : words.joined(separator: "_")
  }

  private static func padded(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }
}
