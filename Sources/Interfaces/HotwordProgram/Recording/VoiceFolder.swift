import AudioCapture
import Corpora
import Platform

/// A folder in Common Voice's layout that recordings are added to.
struct VoiceFolder {
  let path: String
  private let speaker: String
  private let phrase: String
  private let locale: String

  private var table: String { "\(path)/validated.tsv" }

  /// Makes the folder where there is none, and finds out whether it can be written to.
  ///
  /// - Throws: `SystemFault`, `CorpusFault` for a table that is none.
  init(_ path: String, speaker: String, phrase: String, locale: String) throws {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    self.speaker = speaker
    self.phrase = phrase
    self.locale = locale
    try Files.createFolder("\(path)/clips")
    try Files.checkWritable(table)
    _ = try clips()
  }

  /// How many recordings of the phrase by this speaker there are.
  func count() throws -> Int {
    let wanted = TranscriptWords(phrase)
    return try clips().count { $0.client == speaker && TranscriptWords($0.sentence) == wanted }
  }

  /// Adds a recording: first the clip, then its line; what there is stays whole whatever happens.
  func add(_ samples: [Int16]) throws {
    let taken = Set(try Files.names(in: "\(path)/clips"))
    let stem = "\(Self.fileName(phrase))_\(Self.fileName(speaker))"
    let name = (1...).lazy.map { "\(stem)_\(Self.padded($0)).wav" }.first { !taken.contains($0) }!
    try AudioFile.write(samples, to: "\(path)/clips/\(name)")
    let clip = CommonVoice.Clip(client: speaker, path: name, sentence: phrase, locale: locale)
    try Files.write(CommonVoice.appending([clip], to: try bytes()), to: table)
  }

  private func clips() throws -> [CommonVoice.Clip] {
    let bytes = try bytes()
    return bytes.isEmpty ? [] : try CommonVoice.parse(bytes, table: table)
  }

  private func bytes() throws(SystemFault) -> [UInt8] { Files.exists(table) ? try Files.read(table) : [] }

  /// Letters and digits, what lies between them as one line.
  private static func fileName(_ text: String) -> String {
    let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.isEmpty ? "x" : words.joined(separator: "_")
  }

  private static func padded(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }
}
