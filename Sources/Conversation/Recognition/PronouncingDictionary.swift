import Platform

/// The pronunciations of some words, from a dictionary in the CMU format: `word(2) W ER D`, one a line.
package struct PronouncingDictionary: Sendable {
  private static let sizeLimit = 32 << 20

  /// All pronunciations of each word in ARPAbet.
  package private(set) var entries: [String: [[String]]] = [:]

  /// Looks up `words` in the file at `path`; empty where the file cannot be read.
  package init(_ path: String, words: Set<String>) {
    guard let bytes = try? Files.read(path, limit: Self.sizeLimit) else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let head = line.prefix {
        $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "\t")
      }
      let word = String(decoding: head, as: UTF8.self)
      guard words.contains(word) else { continue }
      let phones = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }.dropFirst()
      if !phones.isEmpty { entries[word, default: []].append(phones.map(String.init)) }
    }
  }
}
