/// Common Voice's tables: one line per clip, the columns named in the first.
public enum CommonVoice {
  /// The columns of a table that is written, in Common Voice's order.
  static let columns = [
    "client_id", "path", "sentence", "up_votes", "down_votes", "age", "gender", "accents", "locale",
    "segment",
  ]

  /// A clip as its line tells of it.
  public struct Clip: Sendable, Equatable {
    /// Who speaks.
    public var client: String
    /// The file's name in `clips`.
    public var path: String
    public var sentence: String
    /// The language, as `en`.
    public var locale: String

    public init(client: String, path: String, sentence: String, locale: String = "en") {
      self.client = client
      self.path = path
      self.sentence = sentence
      self.locale = locale
    }
  }

  /// Whether these bytes begin a table of clips.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    let names = header(bytes) ?? []
    return names.contains("path") && names.contains("sentence")
  }

  /// The clips of a table.
  ///
  /// - Parameter table: the table's path, for faults.
  /// - Throws: ``CorpusFault/missingColumn(_:table:)``, ``CorpusFault/badLine(path:line:expected:)``.
  public static func parse(_ bytes: [UInt8], table: String) throws(CorpusFault) -> [Clip] {
    let names = header(bytes) ?? []
    func place(_ name: String) throws(CorpusFault) -> Int {
      guard let place = names.firstIndex(of: name) else { throw .missingColumn(name, table: table) }
      return place
    }
    let client = try place("client_id")
    let path = try place("path")
    let sentence = try place("sentence")
    let locale = names.firstIndex(of: "locale")
    let least = max(client, path, sentence)
    var clips: [Clip] = []
    for line in LineTable(bytes: bytes).dropFirst() {
      let cells = line.cells
      guard cells.count > least, !cells[path].isEmpty else {
        throw .badLine(path: table, line: line.number, expected: "\(names.count) columns between tabs")
      }
      func text(_ place: Int) -> String { String(decoding: cells[place], as: UTF8.self) }
      clips.append(
        Clip(
          client: text(client), path: text(path), sentence: text(sentence),
          locale: locale.flatMap { $0 < cells.count ? text($0) : nil } ?? ""))
    }
    return clips
  }

  /// `bytes` of a table, or none of a new one, with lines for `clips` behind; other columns are left as they are and
  /// filled in with nothing.
  public static func appending(_ clips: [Clip], to bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    if result.allSatisfy({ $0 == 10 || $0 == 13 }) {
      result = Array((columns.joined(separator: "\t") + "\n").utf8)
    } else if result.last != 10 {
      result.append(10)
    }
    let names = header(result) ?? []
    for clip in clips {
      let cells = names.map { name in
        switch name {
        case "client_id": clip.client
        case "path": clip.path
        case "sentence": clip.sentence
        case "up_votes", "down_votes": "0"
        case "locale": clip.locale
        default: ""
        }
      }
      result += (cells.map(onOneLine).joined(separator: "\t") + "\n").utf8
    }
    return result
  }

  private static func onOneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  private static func header(_ bytes: [UInt8]) -> [String]? {
    var bytes = bytes.prefix(64 << 10)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return LineTable(bytes: Array(bytes)).first { _ in true }?.cells.map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
