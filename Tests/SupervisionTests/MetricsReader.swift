/// A reader of Prometheus's text format that takes nothing else.
struct MetricsReader {
  struct Malformed: Error { let line: String }

  private(set) var types: [String: String] = [:]
  private(set) var helps: [String: String] = [:]
  /// By name and labels as written.
  private(set) var values: [String: Double] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Malformed(line: text) }
    for line in text.split(separator: "\n").map(String.init) {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      if line.hasPrefix("# HELP "), words.count == 4 {
        guard helps.updateValue(words[3], forKey: words[2]) == nil else { throw Malformed(line: line) }
      } else if line.hasPrefix("# TYPE "), words.count == 4 {
        guard types.updateValue(words[3], forKey: words[2]) == nil, values[words[2]] == nil else {
          throw Malformed(line: line)
        }
      } else {
        try sample(line)
      }
    }
  }

  private mutating func sample(_ line: String) throws {
    guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]),
      !line.hasPrefix("#")
    else { throw Malformed(line: line) }
    let series = String(line[..<space])
    let name = String(series.prefix { $0 != "{" })
    let family = ["_bucket", "_sum", "_count"].compactMap { suffix in
      name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : nil
    }.first { types[$0] == "histogram" }
    guard types[family ?? name] != nil, helps[family ?? name] != nil,
      name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }),
      name.count == series.count || series.hasSuffix("\"}")
    else { throw Malformed(line: line) }
    guard values.updateValue(value, forKey: series) == nil else { throw Malformed(line: line) }
  }
}
