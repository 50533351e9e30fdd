/// A sentence found by a search, with the position of each word.
package struct Hypothesis: Sendable, Equatable {
  package struct Word: Sendable, Equatable {
    package let text: String
    /// In steps from the start of the search.
    package let steps: Range<Int>
    /// The acoustic score: a sum of logarithms over the steps; 0 is the best possible.
    package let fit: Float
  }

  /// The acoustic score plus the grammar's log probability.
  package let score: Float
  /// Without silence.
  package let words: [Word]

  package var text: String { words.map(\.text).joined(separator: " ") }
}

extension SentenceSearch {
  /// The best sentence so far: a complete one, or the beginning of one if `mayBePartial`.
  package func best(mayBePartial: Bool) -> Hypothesis? {
    guard let cell = mayBePartial ? leading : whole else { return nil }
    return trace(from: cell, turns: [:])
  }

  /// Up to `limit` complete sentences with different words, best first, from up to `20 * limit` paths.
  ///
  /// A path differs from the best one at some cells ("turns"), where it takes another way in. Each path is visited once,
  /// in the order of the cost of its turns.
  package func sentences(_ limit: Int) -> [Hypothesis] {
    guard let end = whole, limit > 0 else { return [] }
    struct Path {
      var turns: [Int32: Int32]
      var cost: Float
      /// Turns are possible from this cell on, towards the start.
      var from: Int32
    }
    var open = [Path(turns: [:], cost: 0, from: end)]
    var found: [Hypothesis] = []
    var seen = 0
    while !open.isEmpty, found.count < limit, seen < 20 * limit {
      let next = open.indices.min { open[$0].cost < open[$1].cost }!
      let path = open.remove(at: next)
      seen += 1
      let hypothesis = trace(from: end, turns: path.turns)
      if !found.contains(where: { $0.text == hypothesis.text }) { found.append(hypothesis) }
      var cell = end
      var mayTurn = false
      while cell > 0 {
        if cell == path.from { mayTurn = true }
        let list = cells[Int(cell)].ways
        let taken = path.turns[cell] ?? list.lowerBound
        if mayTurn, path.turns[cell] == nil {
          for way in list.dropFirst() {
            var turned = path
            turned.turns[cell] = way
            turned.cost += ways[Int(list.lowerBound)].score - ways[Int(way)].score
            turned.from = ways[Int(way)].cell
            open.append(turned)
          }
        }
        cell = ways[Int(taken)].cell
      }
      if open.count > 100 * limit {
        open.sort { $0.cost < $1.cost }
        open.removeLast(open.count - 50 * limit)
      }
    }
    return found
  }

  private func trace(from end: Int32, turns: [Int32: Int32]) -> Hypothesis {
    var words: [Hypothesis.Word] = []
    var cost: Float = 0
    var following: UInt8?
    var cell = end
    while cell > 0 {
      let here = cells[Int(cell)]
      let taken = turns[cell] ?? here.ways.lowerBound
      let way = ways[Int(taken)]
      cost += here.score - way.score
      let before = cells[Int(way.cell)]
      if way.arc >= 0 {
        let arc = graph.arcs[Int(way.arc)]
        if arc.word >= 0 {
          words.append(
            Hypothesis.Word(
              text: article(graph.words[Int(arc.word)], before: following),
              steps: Int(before.step) + 1..<Int(here.step) + 1,
              fit: way.score - before.score - arc.weight))
          following = graph.sounds[arc.states.lowerBound]
        }
      }
      cell = way.cell
    }
    return Hypothesis(score: cells[Int(end)].score - cost, words: words.reversed())
  }

  /// "a" or "an" as the next word requires, because they sound too similar to be distinguished; other words unchanged.
  private func article(_ word: String, before sound: UInt8?) -> String {
    guard !graph.vowels.isEmpty, word == "a" || word == "an", let sound else { return word }
    return graph.vowels.contains(sound) ? "an" : "a"
  }
}
