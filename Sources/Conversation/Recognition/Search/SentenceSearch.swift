import Glibc

/// Finds the most probable sentences of a ``SentenceGraph`` in the outputs of an encoder: Viterbi beam search.
///
/// All paths that reach a node in the same step share one cell, which keeps its ways in. So the next best sentences are
/// found without another search. See S. Young, "Token passing", 1989.
package struct SentenceSearch {
  package struct Settings: Sendable, Equatable {
    /// Paths with a score this far below the best are dropped.
    package var beam: Float = 45
    /// Ways into a cell with a score this far below its best are dropped.
    package var rivalBeam: Float = 20
    /// The ways that are kept at least before those that no path uses any more are dropped.
    package var leastWays = 200_000

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

  /// The best path into a state of an arc.
  private struct State {
    var score: Float
    /// The cell where it entered the arc; -1 where there is no path.
    var origin: Int32
    static let empty = State(score: -.infinity, origin: -1)
  }

  let graph: SentenceGraph
  private let settings: Settings
  private(set) var cells: [Cell] = []
  private(set) var ways: [Way] = []
  /// The number of ways at which ``dropUnused()`` runs next.
  private var fullWays = 0
  /// The number of steps so far.
  package private(set) var steps = 0

  /// The scores of the current step, by the sounds of ``SentenceGraph``.
  private var fits = [Float](repeating: 0, count: 256)
  private var states: [State]
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
    states = [State](repeating: .empty, count: graph.sounds.count)
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
    fullWays = settings.leastWays
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
      for index in graph.arcsFrom.range(node) {
        let arc = graph.arcsFrom.elements[index]
        guard !isActive[Int(arc)], cells[cell].score + graph.arcs[Int(arc)].weight >= threshold else {
          continue
        }
        isActive[Int(arc)] = true
        active.append((arc, Self.never))
      }
    }
    advanceActive()
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
      if states[last].score >= kept {
        arrive(graph.arcs[Int(arc)].to, Way(score: states[last].score, arc: arc, cell: states[last].origin))
      }
    }
    active.removeLast(active.count - count)
    settle(step: Int32(steps), threshold: kept)
    steps += 1
    if ways.count >= fullWays {
      dropUnused()
      fullWays = max(settings.leastWays, 2 * ways.count)
    }
  }

  private mutating func leave(_ arc: Int32) {
    isActive[Int(arc)] = false
    for state in graph.arcs[Int(arc)].states { states[state] = .empty }
  }

  /// Advances the states of all active arcs.
  private mutating func advanceActive() {
    best = Self.never
    bestOpen = Self.never
    states.withUnsafeMutableBufferPointer { states in
      graph.sounds.withUnsafeBufferPointer { sounds in
        fits.withUnsafeBufferPointer { fits in
          for index in active.indices {
            let arc = graph.arcs[Int(active[index].arc)]
            let cell = reached[Int(arc.from)]
            let entry =
              cell < 0 ? State.empty : State(score: cells[Int(cell)].score + arc.weight, origin: cell)
            let most = Self.advance(states, arc.states, entry, sounds, fits)
            active[index].most = most
            best = max(best, most)
            bestOpen = max(bestOpen, most + arc.continuation)
          }
        }
      }
    }
  }

  /// Advances the states of one arc, last one first; returns the best score among them.
  private static func advance(
    _ states: UnsafeMutableBufferPointer<State>, _ range: Range<Int>, _ entry: State,
    _ sounds: UnsafeBufferPointer<UInt8>, _ fits: UnsafeBufferPointer<Float>
  ) -> Float {
    var most = never
    var state = range.upperBound - 1
    while state >= range.lowerBound {
      var path = state == range.lowerBound ? entry : states[state - 1]
      let mayStay = (state - range.lowerBound) % SentenceGraph.leastSteps == SentenceGraph.leastSteps - 1
      if mayStay, states[state].score > path.score { path = states[state] }
      path.score += fits[Int(sounds[state])]
      states[state] = path
      most = max(most, path.score)
      state -= 1
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
        for index in graph.jumps.range(node) {
          let jump = graph.jumps.elements[index]
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

  /// Drops the cells from which no path goes on, and their ways. The sentences stay the same.
  ///
  /// Without this, speech that is no sentence of a large grammar takes more than 10 MB per second.
  private mutating func dropUnused() {
    var isUsed = [Bool](repeating: false, count: cells.count)
    isUsed[0] = true
    for cell in newest { isUsed[cell] = true }
    for (arc, _) in active {
      for state in graph.arcs[Int(arc)].states {
        if states[state].score == Self.never { states[state].origin = -1 }
        if states[state].origin >= 0 { isUsed[Int(states[state].origin)] = true }
      }
    }
    // The ways into a cell come from older cells, which have lower indices.
    for cell in cells.indices.reversed() where isUsed[cell] {
      for way in cells[cell].ways where ways[Int(way)].cell >= 0 { isUsed[Int(ways[Int(way)].cell)] = true }
    }
    var moved = [Int32](repeating: -1, count: cells.count)
    var (cellCount, wayCount) = (0, 0)
    for index in cells.indices where isUsed[index] {
      let cell = cells[index]
      let first = wayCount
      for way in cell.ways {
        let way = ways[Int(way)]
        ways[wayCount] = Way(score: way.score, arc: way.arc, cell: way.cell < 0 ? -1 : moved[Int(way.cell)])
        wayCount += 1
      }
      moved[index] = Int32(cellCount)
      cells[cellCount] = Cell(
        node: cell.node, step: cell.step, score: cell.score, ways: Int32(first)..<Int32(wayCount))
      cellCount += 1
    }
    newest = cellCount - newest.count..<cellCount
    cells.removeLast(cells.count - cellCount)
    ways.removeLast(ways.count - wayCount)
    for cell in newest { reached[Int(cells[cell].node)] = Int32(cell) }
    for (arc, _) in active {
      for state in graph.arcs[Int(arc)].states where states[state].origin >= 0 {
        states[state].origin = moved[Int(states[state].origin)]
      }
    }
  }

  /// The number of ways that are kept.
  package var size: Int { ways.count }

  /// The cell of the best complete sentence; nil where none can have ended yet.
  var whole: Int32? { reached[Int(graph.end)] >= 0 ? reached[Int(graph.end)] : nil }

  /// The last cell of the best path, complete or not.
  var leading: Int32? {
    guard let arc = active.max(by: { $0.most < $1.most })?.arc else { return nil }
    return graph.arcs[Int(arc)].states.map { states[$0] }.max { $0.score < $1.score }!.origin
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
