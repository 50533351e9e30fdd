import Glibc

/// Finds the most probable sentences of a ``SentenceGraph`` in the outputs of an encoder: Viterbi beam search.
///
/// All paths that reach a node in the same step share one cell, which keeps its ways in. So the next best sentences are
/// found without another search. See S. Young, "Token passing", 1989.
package struct SentenceSearch {
  package struct Settings: Sendable, Equatable {
    /// Paths with a score this far below the best are dropped.
    package var beam: Float = 60
    /// Ways into a cell with a score this far below its best are dropped.
    package var rivalBeam: Float = 20

    package init() {}
  }

  /// A node that was reached at the end of a step.
  struct Cell {
    let node: Int32
    /// The step at whose end the node was reached; -1 before the first.
    let step: Int32
    /// The score of its best way.
    let score: Float
    /// Its range in ``ways``, best first.
    let ways: Range<Int32>
  }

  /// A way into a cell: an arc, or a jump where `arc` is -1.
  struct Way {
    let score: Float
    let arc: Int32
    let cell: Int32
  }

  let graph: SentenceGraph
  private let settings: Settings
  private(set) var cells: [Cell] = []
  private(set) var ways: [Way] = []
  /// The number of steps so far.
  package private(set) var steps = 0

  /// The scores of the current step, by the sounds of ``SentenceGraph``.
  private var fits = [Float](repeating: 0, count: 256)
  private var scores: [Float]
  private var origins: [Int32]
  /// The arcs with paths in them, and the best score in each.
  private var active: [(arc: Int32, most: Float)] = []
  private var isActive: [Bool]
  /// The cells of the last step, and the index of the cell of each node; -1 for nodes that were not reached.
  private var newest: Range<Int> = 0..<0
  private var reached: [Int32]
  private var best: Float = 0
  /// The best score of a path with another word to come that changes the sentence.
  private var bestOpen: Float = 0
  /// The ways into nodes in the current step, as linked lists by node, and a bit for each node with a list.
  private var arrivals: [(way: Way, next: Int32)] = []
  private var heads: [Int32]
  private var waiting: [UInt64]
  /// Added to the score of a jump to each node; empty for nothing.
  private var preferences: [Float] = []

  private static let never = -Float.infinity

  package init(_ graph: SentenceGraph, _ settings: Settings = Settings()) {
    self.graph = graph
    self.settings = settings
    scores = [Float](repeating: Self.never, count: graph.sounds.count)
    origins = [Int32](repeating: -1, count: graph.sounds.count)
    isActive = [Bool](repeating: false, count: graph.arcs.count)
    reached = [Int32](repeating: -1, count: graph.jumps.count)
    heads = [Int32](repeating: -1, count: graph.jumps.count)
    waiting = [UInt64](repeating: 0, count: graph.jumps.count / 64 + 1)
    reset()
  }

  /// The share of sentences that are among the expected ones.
  private static let expectedShare: Float = 0.9

  /// Starts a new search.
  ///
  /// - Parameter expected: the sentences that are probable, as indices in ``SentenceGraph/openings``. They get nine tenths of
  ///   the probability, and the others the rest; if empty, or if it contains all, no sentence is preferred.
  package mutating func reset(expecting expected: Set<Int> = []) {
    let others = graph.openings.count - expected.count
    preferences = []
    if !expected.isEmpty, others > 0 {
      preferences = [Float](repeating: 0, count: graph.jumps.count)
      let all = Float(graph.openings.count)
      for (index, nodes) in graph.openings.enumerated() {
        let isExpected = expected.contains(index)
        let share = Float(isExpected ? expected.count : others) / all
        let preference = log((isExpected ? Self.expectedShare : 1 - Self.expectedShare) / share)
        for node in nodes { preferences[Int(node)] = graph.weights.expectation * preference }
      }
    }
    for cell in newest { reached[Int(cells[cell].node)] = -1 }
    for (arc, _) in active { leave(arc) }
    active.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    ways.removeAll(keepingCapacity: true)
    newest = 0..<0
    steps = 0
    best = 0
    arrive(graph.start, Way(score: 0, arc: -1, cell: -1))
    settle(step: -1, threshold: -settings.beam)
  }

  /// Advances by one step, with the score (a logarithm) of each sound.
  package mutating func push(_ scoresOfSounds: [Float]) {
    fits.replaceSubrange(scoresOfSounds.indices, with: scoresOfSounds)
    fits[Int(SentenceGraph.pause)] = scoresOfSounds[Int(graph.silence)] + graph.weights.pause
    let threshold = best - settings.beam
    for cell in newest {
      let node = Int(cells[cell].node)
      for arc in graph.arcsFrom[node]
      where !isActive[arc] && cells[cell].score + graph.arcs[arc].weight >= threshold {
        isActive[arc] = true
        active.append((Int32(arc), Self.never))
      }
    }
    best = Self.never
    bestOpen = Self.never
    for index in active.indices {
      let arc = graph.arcs[Int(active[index].arc)]
      let cell = reached[Int(arc.from)]
      let entry = cell < 0 ? Self.never : cells[Int(cell)].score + arc.weight
      active[index].most = advance(arc.states, entry, cell)
      best = max(best, active[index].most)
      bestOpen = max(bestOpen, active[index].most + arc.continuation)
    }
    let kept = best - settings.beam
    var count = 0
    for index in active.indices {
      let (arc, most) = active[index]
      guard most >= kept else {
        leave(arc)
        continue
      }
      active[count] = active[index]
      count += 1
      let last = graph.arcs[Int(arc)].states.upperBound - 1
      if scores[last] >= kept {
        arrive(graph.arcs[Int(arc)].to, Way(score: scores[last], arc: arc, cell: origins[last]))
      }
    }
    active.removeLast(active.count - count)
    settle(step: Int32(steps), threshold: kept)
    steps += 1
  }

  private mutating func leave(_ arc: Int32) {
    isActive[Int(arc)] = false
    for state in graph.arcs[Int(arc)].states { scores[state] = Self.never }
  }

  /// Advances the states of one arc, last one first; returns the best score among them.
  private mutating func advance(
    _ states: Range<Int>, _ entry: Float, _ cell: Int32
  ) -> Float {
    var most = Self.never
    scores.withUnsafeMutableBufferPointer { scores in
      origins.withUnsafeMutableBufferPointer { origins in
        graph.sounds.withUnsafeBufferPointer { sounds in
          var state = states.upperBound - 1
          while state >= states.lowerBound {
            let isFirst = state == states.lowerBound
            var score = isFirst ? entry : scores[state - 1]
            var origin = isFirst ? cell : origins[state - 1]
            let mayStay =
              (state - states.lowerBound) % SentenceGraph.leastSteps == SentenceGraph.leastSteps - 1
            if mayStay, scores[state] > score {
              score = scores[state]
              origin = origins[state]
            }
            score += fits[Int(sounds[state])]
            scores[state] = score
            origins[state] = origin
            most = max(most, score)
            state -= 1
          }
        }
      }
    }
    return most
  }

  private mutating func arrive(_ node: Int32, _ way: Way) {
    arrivals.append((way, heads[Int(node)]))
    heads[Int(node)] = Int32(arrivals.count - 1)
    waiting[Int(node) / 64] |= 1 << UInt64(node % 64)
  }

  /// Creates a cell for each node that was reached, and follows its jumps, which lead to nodes with higher numbers.
  private mutating func settle(step: Int32, threshold: Float) {
    for cell in newest { reached[Int(cells[cell].node)] = -1 }
    let first = cells.count
    for word in waiting.indices {
      while waiting[word] != 0 {
        let node = 64 * word + waiting[word].trailingZeroBitCount
        waiting[word] &= waiting[word] - 1
        let most = makeCell(node, step)
        for jump in graph.jumps[node] {
          let score = most + jump.weight + (preferences.isEmpty ? 0 : preferences[Int(jump.to)])
          if score >= threshold { arrive(jump.to, Way(score: score, arc: -1, cell: reached[node])) }
        }
      }
    }
    newest = first..<cells.count
    arrivals.removeAll(keepingCapacity: true)
  }

  /// Creates the cell of a node from its ways in; returns the best score.
  private mutating func makeCell(_ node: Int, _ step: Int32) -> Float {
    let first = ways.count
    var most = Self.never
    var at = heads[node]
    heads[node] = -1
    while at >= 0 {
      let (way, next) = arrivals[Int(at)]
      most = max(most, way.score)
      ways.append(way)
      at = next
    }
    if ways.count - first > 1 {
      let sorted = ways[first...].filter { $0.score >= most - settings.rivalBeam }
        .sorted { $0.score > $1.score }
      ways.replaceSubrange(first..., with: sorted)
    }
    reached[node] = Int32(cells.count)
    cells.append(
      Cell(node: Int32(node), step: step, score: most, ways: Int32(first)..<Int32(ways.count)))
    return most
  }

  /// The cell of the best complete sentence; nil where none can have ended yet.
  var whole: Int32? { reached[Int(graph.end)] >= 0 ? reached[Int(graph.end)] : nil }

  /// The last cell of the best path, complete or not.
  var leading: Int32? {
    guard let arc = active.max(by: { $0.most < $1.most })?.arc else { return nil }
    let state = graph.arcs[Int(arc)].states.max { scores[$0] < scores[$1] }!
    return origins[state]
  }

  /// What follows the best sentence, if it is complete and more probable than each beginning of one.
  package struct Ending: Sendable, Equatable {
    /// The steps of silence so far.
    package let silence: Int
    /// The mean score of silence in them; 0 is the best possible.
    package let fit: Float
    /// How far the score exceeds that of the best path with another word to come that changes the sentence.
    package let lead: Float
  }

  package var ending: Ending? {
    guard let whole, cells[Int(whole)].score >= best else { return nil }
    let way = ways[Int(cells[Int(whole)].ways.lowerBound)]
    guard way.arc >= 0, way.cell >= 0 else { return nil }
    let before = cells[Int(way.cell)]
    let silence = steps - 1 - Int(before.step)
    let score = way.score - before.score - graph.arcs[Int(way.arc)].weight
    return Ending(silence: silence, fit: score / Float(max(1, silence)), lead: way.score - bestOpen)
  }
}
