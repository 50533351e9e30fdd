import TextProcessing

/// Tells which words the lists of a file know, whatever templates their values are said by.
package struct ListWords {
  private let program: Program

  /// - Throws: ``IntentFileFault`` for lists that cannot be compiled.
  package init(_ file: IntentFile) throws(IntentFileFault) {
    var lists = IntentFile(name: file.name, language: file.language)
    lists.lists = file.lists
    lists.rules = file.rules
    program = try Program(lists)
  }

  /// Whether all of `text` is one value of `list`.
  package func contains(_ text: String, in list: String) -> Bool {
    guard let node = program.listNodes[list] else { return false }
    let chart = Chart(NormalizedText(text), program, now: LocalTime(year: 2000, month: 1, day: 1))
    return chart.ends(of: node, from: Chart.State(place: 0, isLoose: true)).contains {
      Int($0.state.place) >= chart.symbols.count - 1
    }
  }
}
