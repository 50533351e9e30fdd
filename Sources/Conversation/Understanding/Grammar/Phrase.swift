/// A part of a grammar in whole words, as JSGF can say it.
indirect enum Phrase: Equatable {
  /// Letters of a word; where it touches a neighbour without a space the two are one word.
  case letters(String)
  /// A word boundary.
  case space
  case sequence([Phrase])
  case alternative([Phrase])
  /// A rule of the grammar, which stands for whole words.
  case reference(String)
  /// What cannot be said in a grammar: wildcards.
  case impossible

  static let nothing = Phrase.sequence([])

  /// Whether nothing may be said for it.
  var mayBeEmpty: Bool {
    switch self {
    case .letters, .reference, .impossible: false
    case .space: true
    case .sequence(let items): items.allSatisfy(\.mayBeEmpty)
    case .alternative(let items): items.contains(where: \.mayBeEmpty)
    }
  }

  /// Whether anything but word boundaries is in it.
  private var hasWords: Bool {
    switch self {
    case .space: false
    case .letters, .reference, .impossible: true
    case .sequence(let items), .alternative(let items): items.contains(where: \.hasWords)
    }
  }

  /// Whether a word boundary stands at its beginning, whichever way it is said.
  var opensWithSpace: Bool { touches(atStart: true) == false }
  /// Whether a word boundary stands at its end, whichever way it is said.
  var closesWithSpace: Bool { touches(atStart: false) == false }

  /// Whether letters may stand at one of its ends; nil when it may be empty through and through.
  private func touches(atStart: Bool) -> Bool? {
    switch self {
    case .letters: return true
    case .space, .reference, .impossible: return false
    case .alternative(let items):
      let isOptionalSpace = !items.contains(where: \.hasWords) && items.contains(.nothing)
      if isOptionalSpace { return true }
      return items.compactMap { $0.touches(atStart: atStart) }.max { !$0 && $1 }
    case .sequence(let items):
      var found: Bool?
      for item in atStart ? items : items.reversed() {
        guard let touch = item.touches(atStart: atStart) else { continue }
        found = (found ?? false) || touch
        if !item.mayBeEmpty || item == .space { break }
      }
      return found
    }
  }

  /// All ways to say it, as far as there are at most `limit`; nil when there are more.
  func variants(limit: Int) -> [[Phrase]]? {
    switch self {
    case .impossible: return []
    case .letters, .space, .reference: return [[self]]
    case .alternative(let items):
      var all: [[Phrase]] = []
      for item in items {
        guard let some = item.variants(limit: limit), all.count + some.count <= limit else { return nil }
        all += some
      }
      return all
    case .sequence(let items):
      var all: [[Phrase]] = [[]]
      for item in items {
        guard let some = item.variants(limit: limit), all.count * some.count <= limit else { return nil }
        all = all.flatMap { left in some.map { left + $0 } }
      }
      return all
    }
  }
}
