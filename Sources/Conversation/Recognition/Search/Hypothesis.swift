/// A sentence that a search found, with the place of each word.
package struct Hypothesis: Sendable, Equatable {
  package struct Word: Sendable, Equatable {
    package let text: String
    /// Steps from the search's beginning.
    package let steps: Range<Int>
    /// How well the sounds fit, a logarithm summed over the steps; 0 is as well as any sounds do.
    package let fit: Float
  }

  /// The logarithm of sounds and grammar together.
  package let score: Float
  /// Silence left out.
  package let words: [Word]

  package var text: String { words.map(\.text).joined(separator: " ") }
}

extension SentenceSearch {
  /// The best sentence so far: a whole one, or where `mayBreakOff` the beginning of one.
  package func best(mayBreakOff: Bool) -> Hypothesis? {
    guard let cell = mayBreakOff ? leading : whole else { return nil }
    return trace(from: cell, turns: [:])
  }

  /// At most `limit` whole sentences of different words, best first, looking at `20 * limit` paths at most.
  ///
  /// A path leaves the best one at some cells ("turns") for another way in; each is found once, in the order of what
  /// its turns cost.
  package func sentences(_ limit: Int) -> [Hypothesis] {
    guard let end = whole, limit > 0 else { return [] }
    struct Path {
      var turns: [Int32: Int32]
      var cost: Float
      /// Cells from here on, towards the beginning, may be turned at.
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

  /// "a" or "an" as the next word asks for, since they sound too much alike to be told apart; other words as they are.
  private func article(_ word: String, before sound: UInt8?) -> String {
    guard !graph.vowels.isEmpty, word == "a" || word == "an", let sound else { return word }
    return graph.vowels.contains(sound) ? "an" : "a"
  }
}
