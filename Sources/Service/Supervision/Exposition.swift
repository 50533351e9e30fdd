/// Metrics in the Prometheus text format 0.0.4.
package struct Exposition: Sendable {
  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  package enum Kind: String, Sendable {
    case counter
    case gauge
    case histogram
  }

  package struct Sample: Sendable {
    package let labels: [(name: String, value: String)]
    package let value: Double

    package init(_ value: Double, _ labels: (name: String, value: String)...) {
      self.labels = labels
      self.value = value
    }
  }

  package private(set) var text = ""

  package init() {}

  /// Adds a family of metrics.
  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ samples: [Sample]) {
    begin(kind, name, help)
    for sample in samples { line(name, sample.labels, sample.value) }
  }

  package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
    add(kind, name, help, [Sample(value)])
  }

  package mutating func add(_ name: String, _ help: String, _ durations: DurationHistogram) {
    begin(.histogram, name, help)
    let counts = durations.cumulative
    for (bound, count) in zip(DurationHistogram.bounds.map { "\(Self.number($0))" } + ["+Inf"], counts) {
      line(name + "_bucket", [("le", bound)], Double(count))
    }
    line(name + "_sum", [], durations.sum)
    line(name + "_count", [], Double(counts.last ?? 0))
  }

  private mutating func begin(_ kind: Kind, _ name: String, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private mutating func line(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
    }
    text += " \(Self.number(value))\n"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool = true) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.append(character)
      }
    }
    return result
  }
}
