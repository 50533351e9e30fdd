/// Common Voice's tables: one clip per line; the first line names the columns.
public enum CommonVoice {
  /// The columns of a new table, in Common Voice's order.
  static let columns = [
    "client_id", "path", "sentence", "up_votes", "down_votes", "age", "gender", "accents", "locale",
    "segment",
  ]

  /// One line of a table.
  public struct Clip: Sendable, Equatable {
    /// The speaker's identifier.
    public var client: String
    /// The file's name in `clips`.
    public var path: String
    public var sentence: String
    /// The language code, for example `en`.
    public var locale: String

    public init(client: String, path: String, sentence: String, locale: String = "en") {
      self.client = client
      self.path = path
      self.sentence = sentence
      self.locale = locale
    }
  }

  /// Returns whether `bytes` starts with the header of a table of clips.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    let names = header(bytes) ?? []
    return names.contains("path") && names.contains("sentence")
  }

  /// Parses a table.
  ///
  /// - Parameter table: the table's path, used in errors.
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

  /// Returns `bytes`, a table or nothing, with one line appended for each of `clips`. The other columns of an
  /// existing table are kept; they are empty in the new lines.
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

  /// Returns `bytes`, a table, without the lines of the clip whose file has the name `path`.
  public static func removing(_ path: String, from bytes: [UInt8]) -> [UInt8] {
    guard let place = header(bytes)?.firstIndex(of: "path") else { return bytes }
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    let kept = lines.enumerated().filter { number, line in
      let cells = line.split(separator: 9, omittingEmptySubsequences: false)
      return number == 0 || !cells.indices.contains(place) || !cells[place].elementsEqual(path.utf8)
    }
    return Array(kept.map(\.element).joined(separator: [10]))
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
