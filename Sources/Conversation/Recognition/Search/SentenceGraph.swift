import Glibc

/// All sentences of a grammar as a network of sounds.
///
/// Words are arcs between nodes. An arc is a sequence of states, ``leastSteps`` for each sound, of which the last may
/// repeat. Silence before the first and after the last word costs nothing; between words each step of silence has a
/// cost, so that a noise long after a sentence is not recognized as its continuation. Jumps connect nodes without a
/// sound and always lead to a node with a higher number, so that one pass over the nodes follows all of them.
package struct SentenceGraph: Sendable {
  package struct Arc: Sendable {
    package let from: Int32
    package var to: Int32
    /// The log probability of the word by the grammar.
    package let weight: Float
    /// The index in ``words``; -1 for silence.
    package let word: Int32
    /// Its states in ``sounds``.
    package let states: Range<Int>
    /// Whether the word changes nothing, such as "please" at the end.
    let isFree: Bool
    /// The log probability, by the grammar, of another word behind the arc that changes the sentence.
    package fileprivate(set) var continuation: Float = 0
  }

  package struct Jump: Sendable {
    package let to: Int32
    package let weight: Float
  }

  /// The value in ``sounds`` for silence between words; encoders have fewer outputs.
  package static let pause = UInt8.max
  /// The minimum duration of a sound in steps.
  package static let leastSteps = 2
  /// The maximum number of states, which bounds the memory for untrusted grammars.
  package static let stateLimit = 6_000_000

  package private(set) var arcs: [Arc] = []
  /// The output of the encoder for each state.
  package private(set) var sounds: [UInt8] = []
  /// The jumps from each node.
  package private(set) var jumps = NodeLists<Jump>()
  /// The arcs from each node, as indices in ``arcs``.
  package private(set) var arcsFrom = NodeLists<Int32>()
  package private(set) var words: [String] = []
  /// The output of the encoder for silence.
  let silence: UInt8
  let weights: Weights
  /// The outputs of the encoder for vowels, which follow "an".
  let vowels: Set<UInt8>
  /// The nodes where sentences begin: for each rule `sentence_1`, `sentence_2` and so on.
  package private(set) var openings: [[Int32]] = []
  package private(set) var start: Int32 = 0
  package private(set) var end: Int32 = 0

  /// Weights of the grammar and of silence in the score.
  package struct Weights: Sendable, Equatable {
    /// The factor of the log probabilities of the grammar.
    package var grammar = 1.0
    /// Added to the score at the start of silence.
    package var silence: Float = -1
    /// Added to the score at each step of silence between words.
    package var pause: Float = -0.4
    /// The factor of the log probabilities of expected sentences and of others. It is larger than ``grammar`` because the
    /// scores of sounds are too certain: their steps are not independent.
    package var expectation: Float = 3

    package init() {}
  }

  /// - Parameters:
  ///   - silence: the output of the encoder for silence.
  ///   - pronunciations: the pronunciations of each word, as outputs of the encoder.
  ///   - vowels: the outputs for vowels, to choose "a" or "an" by the next word; empty to keep the word found.
  ///   - sentences: the number of rules `sentence_1`, `sentence_2` and so on that have ``openings``.
  ///   - weights: measured; see the README of this module.
  /// - Throws: ``RecognitionFault/badGrammar(reason:)``, ``RecognitionFault/tooManySounds(limit:)``.
  package init(
    _ rules: GrammarRules, silence: UInt8, pronunciations: [String: [[UInt8]]],
    vowels: Set<UInt8> = [], sentences: Int = 0, weights: Weights = Weights()
  ) throws(RecognitionFault) {
    var builder = Builder(rules: rules.rules, pronunciations: pronunciations, weights: weights)
    for index in 0..<sentences { builder.openings["sentence_\(index + 1)"] = [] }
    let first = builder.node()
    let begin = builder.node()
    let over = builder.node()
    let last = builder.node()
    builder.silence(first, begin, silence)
    try builder.add(.rule(rules.start), begin, over, 0)
    builder.silence(over, last, silence)
    arcs = builder.arcs
    sounds = builder.sounds
    words = builder.words
    self.silence = silence
    self.weights = weights
    self.vowels = words.contains("a") && words.contains("an") ? vowels : []
    openings = (0..<sentences).map { builder.openings["sentence_\($0 + 1)"] ?? [] }
    sort(builder.jumps, start: first, end: last)
    findContinuations()
  }

  /// Finds the ``Arc/continuation`` of all arcs, from the last node to the first.
  private mutating func findContinuations() {
    var chances = [Float](repeating: 0, count: jumps.count)
    for node in (0..<jumps.count).reversed() {
      var chance: Float = 0
      for jump in jumps.elements[jumps.range(node)] { chance += exp(jump.weight) * chances[Int(jump.to)] }
      for index in arcsFrom.elements[arcsFrom.range(node)] {
        let arc = arcs[Int(index)]
        if arc.word >= 0 { chance += exp(arc.weight) * (arc.isFree ? chances[Int(arc.to)] : 1) }
      }
      chances[node] = min(1, chance)
    }
    for index in arcs.indices { arcs[index].continuation = log(chances[Int(arcs[index].to)]) }
  }

  /// Numbers the nodes so that jumps lead to higher numbers; jumps that close a cycle are dropped.
  private mutating func sort(_ found: [[Jump]], start first: Int32, end last: Int32) {
    var numbers = [Int32](repeating: -1, count: found.count)
    var isOpen = [Bool](repeating: false, count: found.count)
    var kept = [[Jump]](repeating: [], count: found.count)
    var next = Int32(found.count)
    for root in found.indices where numbers[root] < 0 && !isOpen[root] {
      var stack: [(node: Int, used: Int)] = [(root, 0)]
      isOpen[root] = true
      while let (node, used) = stack.last {
        guard used < found[node].count else {
          isOpen[node] = false
          next -= 1
          numbers[node] = next
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].used += 1
        let jump = found[node][used]
        let target = Int(jump.to)
        if isOpen[target] { continue }
        kept[node].append(jump)
        if numbers[target] < 0 {
          isOpen[target] = true
          stack.append((target, 0))
        }
      }
    }
    var sorted = [[Jump]](repeating: [], count: found.count)
    for (node, list) in kept.enumerated() {
      sorted[Int(numbers[node])] = list.map { Jump(to: numbers[Int($0.to)], weight: $0.weight) }
    }
    jumps = NodeLists(sorted)
    arcs = arcs.map {
      Arc(
        from: numbers[Int($0.from)], to: numbers[Int($0.to)], weight: $0.weight, word: $0.word,
        states: $0.states, isFree: $0.isFree)
    }
    var leaving = [[Int32]](repeating: [], count: found.count)
    for (index, arc) in arcs.enumerated() { leaving[Int(arc.from)].append(Int32(index)) }
    arcsFrom = NodeLists(leaving)
    openings = openings.map { $0.map { numbers[Int($0)] } }
    start = numbers[Int(first)]
    end = numbers[Int(last)]
  }

  /// Whether the words of a rule change nothing: those of `skipped`, `tail_1`, `tail_2` and so on.
  private static func isTail(_ rule: String) -> Bool {
    let tail = "tail_"
    return rule == "skipped" || rule.hasPrefix(tail) && rule.dropFirst(tail.count).allSatisfy(\.isNumber)
  }

  private struct Builder {
    let rules: [String: GrammarRules.Part]
    let pronunciations: [String: [[UInt8]]]
    let weights: Weights
    var arcs: [Arc] = []
    var sounds: [UInt8] = []
    var jumps: [[Jump]] = []
    var words: [String] = []
    var numbers: [String: Int32] = [:]
    var open: [String] = []
    var openings: [String: [Int32]] = [:]

    mutating func node() -> Int32 {
      jumps.append([])
      return Int32(jumps.count - 1)
    }

    mutating func jump(_ from: Int32, _ to: Int32, _ weight: Float) {
      jumps[Int(from)].append(Jump(to: to, weight: weight))
    }

    mutating func arc(_ from: Int32, _ to: Int32, word: Int32, sounds row: [UInt8], _ weight: Float) {
      let first = sounds.count
      for sound in row {
        for _ in 0..<SentenceGraph.leastSteps { sounds.append(sound) }
      }
      let isFree = open.contains(where: SentenceGraph.isTail)
      arcs.append(
        Arc(from: from, to: to, weight: weight, word: word, states: first..<sounds.count, isFree: isFree))
    }

    /// Connects two nodes by a jump, and by silence.
    mutating func silence(_ from: Int32, _ to: Int32, _ sound: UInt8) {
      jump(from, to, 0)
      arc(from, to, word: -1, sounds: [sound], weights.silence)
    }

    /// Connects two nodes by all sentences of `part`.
    mutating func add(
      _ part: GrammarRules.Part, _ from: Int32, _ to: Int32, _ weight: Float
    ) throws(RecognitionFault) {
      guard sounds.count < stateLimit, jumps.count < stateLimit else {
        throw .tooManySounds(limit: stateLimit / leastSteps)
      }
      switch part {
      case .void: break
      case .word(let word): say(word, from, to, weight)
      case .rule(let name):
        guard let body = rules[name] else { throw .badGrammar(reason: "it has no rule <\(name)>") }
        guard !open.contains(name) else { throw .badGrammar(reason: "<\(name)> is a part of itself") }
        open.append(name)
        if openings[name] != nil {
          let opening = node()
          openings[name]!.append(opening)
          jump(from, opening, weight)
          try add(body, opening, to, 0)
        } else {
          try add(body, from, to, weight)
        }
        open.removeLast()
      case .sequence(let parts):
        guard let last = parts.indices.last else { return jump(from, to, weight) }
        var here = from
        for index in parts.indices {
          let next = index == last ? to : node()
          try add(parts[index], here, next, index == 0 ? weight : 0)
          here = next
        }
      case .alternatives(let choices):
        let sum = choices.reduce(0) { $0 + $1.weight }
        for choice in choices {
          try add(choice.part, from, to, weight + Float(weights.grammar * log(choice.weight / sum)))
        }
      case .repeated(let body, let atLeastOnce):
        let before = node()
        let after = node()
        jump(from, before, weight)
        try add(body, before, after, 0)
        jump(after, before, Float(-weights.grammar * log(2)))
        jump(after, to, 0)
        if !atLeastOnce { jump(from, to, weight) }
      }
    }

    private mutating func say(_ word: String, _ from: Int32, _ to: Int32, _ weight: Float) {
      let said = node()
      let number = numbers[word] ?? Int32(words.count)
      if number == words.count {
        numbers[word] = number
        words.append(word)
      }
      for row in pronunciations[word] ?? [] { arc(from, said, word: number, sounds: row, weight) }
      silence(said, to, pause)
    }
  }
}
