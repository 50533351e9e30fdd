import Platform
import TextProcessing

/// Words of a text that are a value of a list or of a built-in entity.
struct ListSpan: Sendable {
  /// The range of words, from 0 for the first of the text.
  let words: Range<Int>
  /// The index of the list in ``SpanFinder/names``.
  let list: Int
  let value: JSON
  /// The words of the value in a reply, where they differ from the value.
  let spoken: String?
  var kind: EntityKind?
}

/// Finds values of lists in a text, by the same ``Chart`` that matches templates.
struct SpanFinder: Sendable {
  /// The names of the lists, by index.
  let names: [String]
  /// Whether the language of the file is English.
  var isEnglish: Bool { program.hasNumberWords }
  private let program: Program
  private let nodes: [Int32]

  /// - Parameter names: lists of the file and built-in entities; wildcards are ignored.
  init(_ names: [String], in program: Program) {
    let known = names.compactMap { name in program.listNodes[name].map { (name, $0) } }
    self.names = known.map(\.0)
    nodes = known.map(\.1)
    self.program = program
  }

  /// The longest spans of each list, sorted by their first word.
  func spans(in text: NormalizedText, now: LocalTime) -> [ListSpan] {
    guard !nodes.isEmpty else { return [] }
    let found = spans(of: nodes.indices.map { $0 }, in: text, now: now)
    let spelled = spelledSpans(in: text, now: now, beside: found)
    return (found + spelled).sorted { ($0.words.lowerBound, $0.list) < ($1.words.lowerBound, $1.list) }
  }

  /// Values that are written in digits in the text and in words in a list.
  private func spelledSpans(in text: NormalizedText, now: LocalTime, beside found: [ListSpan]) -> [ListSpan] {
    guard isEnglish, let spelled = text.spellingNumbers else { return [] }
    let lists = nodes.indices.filter { program.list(ofUseAt: nodes[$0]).isOfValues }
    let words = text.words.map { text.source($0.range) }
    let spelledWords = spelled.words.map { spelled.source($0.range) }
    return spans(of: lists, in: spelled, now: now).compactMap { span in
      let start = spelledWords[span.words.lowerBound].lowerBound
      let end = spelledWords[span.words.upperBound - 1].upperBound
      guard let first = words.firstIndex(where: { $0.lowerBound == start }),
        let last = words.lastIndex(where: { $0.upperBound == end }), first <= last,
        !found.contains(where: { $0.list == span.list && $0.words.overlaps(first..<last + 1) })
      else { return nil }
      return ListSpan(words: first..<last + 1, list: span.list, value: span.value, spoken: span.spoken)
    }
  }

  private func spans(of lists: [Int], in text: NormalizedText, now: LocalTime) -> [ListSpan] {
    let chart = Chart(text, program, now: now, allowsLeads: false)
    let words = text.words
    var wordEnding: [Int: Int] = [:]
    for (index, word) in words.enumerated() { wordEnding[word.range.upperBound] = index }
    var found: [ListSpan] = []
    for list in lists {
      var last = 0
      for (first, word) in words.enumerated() {
        let start = Chart.State(place: Int32(word.range.lowerBound), isLoose: true)
        var longest: (end: Chart.End, word: Int)?
        for end in chart.ends(of: nodes[list], from: start) {
          guard let word = wordEnding[Int(end.state.place)] ?? wordEnding[Int(end.state.place) - 1] else {
            continue
          }
          if longest.map({ word > $0.word }) ?? true { longest = (end, word) }
        }
        guard let longest, longest.word + 1 > last else { continue }
        guard let span = span(longest.end, first..<longest.word + 1, list, chart) else { continue }
        found.append(span)
        last = longest.word + 1
      }
    }
    return found
  }

  private func span(_ end: Chart.End, _ words: Range<Int>, _ list: Int, _ chart: Chart) -> ListSpan? {
    guard let fill = chart.fills(of: end).last else { return nil }
    let said = chart.text.written(fill.range)
    switch fill.content {
    case .value(let index):
      return ListSpan(words: words, list: list, value: chart.value(index, of: fill), spoken: nil)
    case .number(let number):
      return ListSpan(words: words, list: list, value: .rounded(number, digits: 6), spoken: nil)
    case .entity(let index):
      return ListSpan(
        words: words, list: list, value: chart.entityValues[index], spoken: said,
        kind: program.lists[program.uses[Int(fill.use)].list].entity)
    case .words: return nil
    }
  }
}
