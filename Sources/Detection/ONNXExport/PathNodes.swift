import Detection

extension ONNXGraph {
  /// Adds ``SoundScores`` over an encoder's `outputs` [1][outputs][steps].
  ///
  /// - Parameter name: the prefix of the names of its nodes.
  /// - Returns: the scores, [1][outputs][steps].
  mutating func scores(_ sounds: SoundScores, over outputs: String, named name: String) -> String {
    let offsets = constant("\(name).offsets", [1, sounds.offsets.count, 1], sounds.offsets)
    let adjusted = node("\(name).adjusted", "Sub", [outputs, offsets])
    let sum = node("\(name).sum", "ReduceLogSumExp", [adjusted], [("axes", .integers([1]))])
    let limited = node(
      "\(name).limited", "Max",
      [
        node("\(name).logarithm", "Sub", [adjusted, sum]),
        constant("\(name).lowest", [], [SoundScores.lowest]),
      ])
    return node("\(name).scores", "Add", [limited, constant("\(name).center", [], [SoundScores.center])])
  }

  /// Adds the verifier over an encoder's `outputs` or their scores, [1][outputs][steps]: ``PhrasePath`` as a scan over the
  /// steps.
  ///
  /// - Returns: the number to add to each step's logit, [1][1][steps].
  mutating func path(_ settings: PhrasePathSettings, over outputs: String, areScores: Bool) -> String {
    let states = PathStates(settings)
    let hasOffsets = !settings.offsets.isEmpty
    let values =
      hasOffsets
      ? scores(SoundScores(offsets: settings.offsets), over: outputs, named: "path.sounds") : outputs
    let highest =
      areScores || hasOffsets
      ? constant("path.highest", [], [SoundScores.center])
      : node("path.highest", "ReduceMax", [values], [("axes", .integers([1]))])
    let gathered = node(
      "path.gathered", "Gather", [values, constant("path.sounds", states.sounds)], [("axis", .integer(1))])
    let limited = node(
      "path.limited", "Max",
      [
        node("path.distance", "Sub", [gathered, highest]),
        constant("path.mostCost", [], [-PhrasePath.mostCost(settings, readsScores: areScores)]),
      ])
    let costs = node(
      "path.costs", "Reshape",
      [
        node("path.transposed", "Transpose", [limited], [("perm", .integers([0, 2, 1]))]),
        constant("path.costs.shape", [-1, states.sounds.count]),
      ])
    let size = states.sounds.count
    nodes(
      "Scan",
      [
        constant("path.sums", [size], [Float](repeating: PhrasePath.unreached, count: size)),
        constant("path.lengths", [size], [Float](repeating: 1, count: size)), costs,
      ],
      outputs: ["path.lastSums", "path.lastLengths", "path.best"],
      [
        ("body", .graph(Self.step(states, lowest: PhrasePath.lowest(settings, readsScores: areScores)))),
        ("num_scan_inputs", .integer(1)),
      ])
    let steps = node("path.steps", "Reshape", ["path.best", constant("path.steps.shape", [1, 1, -1])])
    let recent = node(
      "path.recent", "MaxPool", [steps],
      [("kernel_shape", .integers([settings.span + 1])), ("pads", .integers([settings.span, 0]))])
    return node("path", "Mul", [recent, constant("path.weight", [], [Float(settings.weight)])])
  }

  /// One step of the scan: every state follows the previous one or repeats.
  private static func step(_ states: PathStates, lowest: Float) -> ONNXGraph {
    let size = Size.exactly(states.sounds.count)
    var graph = ONNXGraph(name: "step")
    let sums = graph.input("sums", [size])
    let lengths = graph.input("lengths", [size])
    let cost = graph.input("cost", [size])
    let before = graph.constant("before", states.before)
    let follows = graph.constant("follows", [states.before.count], states.follows)
    func moved(_ name: String, _ values: String) -> String {
      graph.node(
        "\(name).moved", "Mul", [graph.node("\(name).before", "Gather", [values, before]), follows])
    }
    let one = graph.constant("one", [], [1])
    let movedSums = moved("sums", sums)
    let movedLengths = moved("lengths", lengths)
    let stays = graph.node("meanIfStays", "Div", [sums, lengths])
    let moves = graph.node(
      "meanIfMoves", "Div", [movedSums, graph.node("atLeastOne", "Max", [movedLengths, one])])
    let isBetter = graph.node("isBetter", "Greater", [stays, moves])
    let stay = graph.node("stay", "And", [isBetter, graph.constant("mayStay", states.mayStay)])
    let newSums = graph.node(
      "newSums", "Add", [graph.node("chosenSums", "Where", [stay, sums, movedSums]), cost])
    let newLengths = graph.node(
      "newLengths", "Add", [graph.node("chosenLengths", "Where", [stay, lengths, movedLengths]), one])
    let ends = graph.constant("ends", states.ends)
    let endSums = graph.node("endSums", "Gather", [newSums, ends])
    let endLengths = graph.node("endLengths", "Gather", [newLengths, ends])
    let isReached = graph.node(
      "isReached", "Greater", [endSums, graph.constant("unreached", [], [PhrasePath.unreached / 2])])
    let lowest = graph.constant("lowest", [], [lowest])
    let means = graph.node(
      "means", "Where", [isReached, graph.node("endMeans", "Div", [endSums, endLengths]), lowest])
    let best = graph.node(
      "best", "Max",
      [
        graph.node("highest", "ReduceMax", [means], [("axes", .integers([0])), ("keepdims", .integer(0))]),
        lowest,
      ])
    graph.output(newSums, [size])
    graph.output(newLengths, [size])
    graph.output(best, [])
    return graph
  }
}

/// The states of all pronunciations in one row, as in ``PhrasePath``.
private struct PathStates {
  let sounds: [Int]
  /// The state that each one follows; the first of a pronunciation follows none.
  let before: [Int]
  /// 0 for the first of a pronunciation, 1 for the others.
  let follows: [Float]
  let mayStay: [Bool]
  /// The last of each pronunciation.
  let ends: [Int]

  init(_ settings: PhrasePathSettings) {
    let each = PhrasePath.statesPerSound
    let rows = settings.pronunciations.map { row in row.flatMap { [Int](repeating: $0, count: each) } }
    sounds = Array(rows.joined())
    follows = rows.flatMap { row in row.indices.map { $0 == 0 ? 0 : 1 } }
    before = sounds.indices.map { max(0, $0 - 1) }
    mayStay = rows.flatMap { row in row.indices.map { $0 % each == each - 1 } }
    var ends: [Int] = []
    var end = 0
    for row in rows {
      end += row.count
      ends.append(end - 1)
    }
    self.ends = ends
  }
}
