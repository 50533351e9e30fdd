import Platform

/// Finds how the templates of a list spell a matched text: "sixteen ounce" for "16-Ounce".
struct TemplateSpelling {
  private struct Spelling {
    let state: Chart.State
    let weight: Int32
    let text: String
  }

  private let chart: Chart
  private var known: [UInt64: [Spelling]] = [:]

  init(_ chart: Chart) { self.chart = chart }

  /// The spelling of `node` in its templates, where it matches `range` of the units; nil where it does not match.
  mutating func words(of node: Int32, at range: Range<Int>) -> String? {
    let start = Chart.State(place: Int32(range.lowerBound), isLoose: true)
    let whole = spellings(of: node, from: start).filter { Int($0.state.place) == range.upperBound }
    guard let best = whole.max(by: { $0.weight < $1.weight }) else { return nil }
    return best.text.split(separator: " ").joined(separator: " ")
  }

  private mutating func spellings(of index: Int32, from state: Chart.State) -> [Spelling] {
    let key = UInt64(UInt32(bitPattern: index)) << 32 | state.key
    if let found = known[key] { return found }
    let node = chart.program.nodes[Int(index)]
    var found: [Spelling] = []
    switch node.kind {
    case .text:
      for end in chart.ends(of: index, from: state) {
        Self.merge(
          Spelling(state: end.state, weight: node.weight, text: chart.program.spelling(ofText: index)),
          into: &found)
      }
    case .sequence:
      found = [Spelling(state: state, weight: 0, text: "")]
      for child in chart.program.children(of: node) {
        var next: [Spelling] = []
        for front in found {
          for more in spellings(of: child, from: front.state) {
            let text = front.text + more.text
            Self.merge(
              Spelling(state: more.state, weight: front.weight + more.weight, text: text), into: &next)
          }
        }
        found = next
      }
    case .alternative:
      for child in chart.program.children(of: node) {
        for way in spellings(of: child, from: state) { Self.merge(way, into: &found) }
      }
    case .permutation, .list:
      for end in chart.ends(of: index, from: state) {
        let words = chart.text.written(Int(state.place)..<Int(end.state.place))
        Self.merge(
          Spelling(state: end.state, weight: end.score.literal, text: " \(words) "), into: &found)
      }
    }
    known[key] = found
    return found
  }

  private static func merge(_ spelling: Spelling, into ways: inout [Spelling]) {
    guard let index = ways.firstIndex(where: { $0.state == spelling.state }) else {
      ways.append(spelling)
      return
    }
    if spelling.weight > ways[index].weight { ways[index] = spelling }
  }
}

extension Chart {
  /// The value at `index` of the list of `fill`: the defined value, or else its words as spelled in the list.
  func value(_ index: Int32, of fill: Fill) -> JSON {
    let list = program.lists[program.uses[Int(fill.use)].list]
    if let value = list.values[Int(index)] { return value }
    var spelling = TemplateSpelling(self)
    return .string(spelling.words(of: list.nodes[Int(index)], at: fill.range) ?? text.written(fill.range))
  }
}
