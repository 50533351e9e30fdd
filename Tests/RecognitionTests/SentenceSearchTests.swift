import Platform
import Recognition
import TestServers
import Testing

/// Searches in synthetic scores: 0 is silence, 1 to 4 are the sounds of the words.
@Suite(.limited) struct SentenceSearchTests {
  private static let words: [String: [[UInt8]]] = [
    "one": [[1, 2]], "two": [[3, 4], [3, 2]], "six": [[1, 4]],
  ]

  private func graph(_ body: String) throws -> SentenceGraph {
    try SentenceGraph(
      GrammarParser.parse("#JSGF V1.0;\npublic <g> = \(body);"), silence: 0, pronunciations: Self.words)
  }

  /// Advances by sounds of two or more steps each; those in `doubtful` are equally likely to be sound 2.
  private func search(
    _ sounds: [Int], in graph: SentenceGraph, doubtful: Set<Int> = [], expecting expected: Set<Int> = []
  ) -> SentenceSearch {
    var search = SentenceSearch(graph)
    search.reset(expecting: expected)
    for (place, sound) in sounds.enumerated() {
      var fits = [Float](repeating: -6, count: 5)
      fits[sound] = 0
      if doubtful.contains(place) { fits[2] = -0.5 }
      search.push(fits)
      search.push(fits)
      search.push(fits)
    }
    return search
  }

  private func texts(_ search: SentenceSearch, _ limit: Int = 1) -> [String] {
    search.sentences(limit).map(\.text)
  }

  @Test func findsTheBestSentenceWithThePositionsOfItsWords() throws {
    let search = search([0, 0, 1, 2, 0, 3, 4, 0], in: try graph("(one | two | six)*"))
    let best = try #require(search.sentences(1).first)
    #expect(best.words.map(\.text) == ["one", "two"])
    #expect(best.words.map(\.steps) == [6..<12, 15..<21])
    #expect(best.words.allSatisfy { $0.fit == 0 })
  }

  @Test func aSecondPronunciationIsTheSameWord() throws {
    #expect(texts(search([3, 2], in: try graph("one | two"))) == ["two"])
  }

  @Test func aSentenceThatNothingContinuesIsOverAtOnceAndOthersAreWaitedFor() throws {
    func ending(_ sounds: [Int], _ body: String, _ rest: String = "") throws -> SentenceSearch.Ending? {
      let rules = "#JSGF V1.0;\npublic <g> = \(body);\n\(rest)"
      let graph = try SentenceGraph(GrammarParser.parse(rules), silence: 0, pronunciations: Self.words)
      return search(sounds, in: graph).ending
    }
    let last = try #require(try ending([1, 2, 3, 4, 0, 0], "one two"))
    #expect(last.silence == 6 && last.fit == 0 && last.lead > 30)
    // Not in the middle of it, and not before the silence.
    #expect(try ending([1, 2, 0, 0], "one two") == nil)
    #expect(try ending([1, 2, 3, 4], "one two") == nil)
    // Words that change nothing are not waited for, others are, and the more probable they are the longer.
    let tail = try #require(try ending([1, 2, 0, 0], "one <tail_1>", "<tail_1> = [ two ];"))
    #expect(tail.lead > 30)
    let open = try #require(try ending([1, 2, 0, 0], "one [ two ]"))
    let rare = try #require(try ending([1, 2, 0, 0], "one ( /0.98/ <NULL> | /0.02/ two )"))
    let later = try #require(try ending([1, 2, 0, 0, 0, 0, 0], "one [ two ]"))
    #expect(open.lead < 4 && rare.lead > open.lead + 3 && later.lead > open.lead + 3)
    #expect(rare.lead < 30)
  }

  @Test func onlySentencesOfTheGrammarAreFound() throws {
    #expect(texts(search([1, 2, 3, 4], in: try graph("six two"))) == ["six two"])
    #expect(texts(search([1, 2], in: try graph("one two"))) == [])
    #expect(texts(search([1, 2], in: try graph("<VOID>"))) == [])
  }

  @Test func anExpectedSentenceIsPreferredWhereTheSoundsAreDoubtful() throws {
    let rules = """
      #JSGF V1.0;
      public <command> = <sentence_1> | <sentence_2> | <sentence_3>;
      <sentence_1> = one;
      <sentence_2> = six;
      <sentence_3> = six two | two two;
      """
    let graph = try SentenceGraph(
      GrammarParser.parse(rules), silence: 0, pronunciations: Self.words, sentences: 3)
    func text(_ sounds: [Int], expecting expected: Set<Int>, doubtful: Set<Int> = []) -> [String] {
      texts(search(sounds, in: graph, doubtful: doubtful, expecting: expected))
    }
    #expect(text([1, 4], expecting: [], doubtful: [1]) == ["six"])
    #expect(text([1, 4], expecting: [0], doubtful: [1]) == ["one"])
    #expect(text([1, 4], expecting: [0, 1, 2], doubtful: [1]) == ["six"])
    // A clear sentence is found even where another one is expected, and the next search has no preference.
    #expect(text([1, 4, 3, 4], expecting: [0]) == ["six two"])
    var again = search([1, 4], in: graph, doubtful: [1], expecting: [0])
    again.reset()
    for fits in [[-6, 0, -6, -6, -6], [-6, -6, -0.5, -6, 0]] as [[Float]] {
      for _ in 0..<3 { again.push(fits) }
    }
    #expect(texts(again) == ["six"])
  }

  @Test func alternativesAreDistinctAndOrdered() throws {
    let search = search([1, 4, 3, 4], in: try graph("(one | six) (two | two | six)"), doubtful: [1])
    let found = search.sentences(4)
    #expect(found.map(\.text).prefix(2) == ["six two", "one two"])
    #expect(Set(found.map(\.text)).count == found.count)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.score >= $1.score })
    #expect(abs(found[0].score - found[1].score - 1.5) < 0.01)
  }

  @Test(arguments: [(1, "one two"), (20, "one")])
  func aClatterLongAfterASentenceIsNotItsEnd(pause: Int, expected: String) throws {
    var search = search([1, 2] + [Int](repeating: 0, count: pause), in: try graph("one [two]"))
    for sound in [3, 3, 4, 4] {
      var clatter = [Float](repeating: -6, count: 5)
      clatter[sound] = 0
      clatter[0] = -4
      search.push(clatter)
    }
    #expect(texts(search) == [expected])
  }

  @Test func aPauseMayInterruptASentence() throws {
    let pause = [Int](repeating: 0, count: 30)
    #expect(texts(search([1, 2] + pause + [3, 4] + pause, in: try graph("one two"))) == ["one two"])
  }

  @Test func partialResultsPrecedeTheEnd() throws {
    let search = search([1, 2, 0, 3], in: try graph("one two"))
    #expect(search.best(mayBePartial: true)?.text == "one")
  }

  @Test func articlesAgreeWithTheNextWord() throws {
    let words: [String: [[UInt8]]] = ["a": [[1]], "an": [[1, 2]], "two": [[3, 4]], "one": [[4, 3]]]
    let rules = try GrammarParser.parse("#JSGF;\npublic <g> = (a | an) (one | two);")
    let graph = try SentenceGraph(rules, silence: 0, pronunciations: words, vowels: [4])
    #expect(texts(search([1, 2, 3, 4], in: graph)) == ["a two"])
    #expect(texts(search([1, 4, 3], in: graph)) == ["an one"])
  }

  @Test(.needsOptimization) func unusedCellsAreDroppedWithoutChangingTheSentences() throws {
    let graph = try graph("(one | two | six)*")
    var random = RandomSource(seed: 5)
    func search(leastWays: Int) -> SentenceSearch {
      var settings = SentenceSearch.Settings()
      settings.leastWays = leastWays
      return SentenceSearch(graph, settings)
    }
    var (all, some) = (search(leastWays: .max), search(leastWays: 500))
    for _ in 0..<2 {
      for step in 1...600 {
        let fits = (0..<5).map { _ in -4 * random.uniform() }
        all.push(fits)
        some.push(fits)
        guard step % 20 == 0 else { continue }
        #expect(some.best(mayBePartial: true) == all.best(mayBePartial: true))
        #expect(some.ending == all.ending)
        #expect(some.sentences(20) == all.sentences(20))
      }
      #expect(all.size > 5_000 && some.size < all.size * 3 / 4)
      all.reset()
      some.reset()
    }
  }

  @Test func resetStartsANewSearch() throws {
    var search = search([1, 2, 0, 3, 4], in: try graph("(one | two)*"))
    search.reset()
    #expect(search.steps == 0 && texts(search) == [""])
  }

  @Test func jumpsLeadToHigherNodes() throws {
    for body in ["one", "[one]* two", "([one] [two])* six", "(((one)*)*)+", "[[[one]]]"] {
      let graph = try graph(body)
      for node in 0..<graph.jumps.count {
        #expect(graph.jumps.elements[graph.jumps.range(node)].allSatisfy { Int($0.to) > node })
      }
    }
  }

  @Test func grammarsWithoutAnEndAreRejected() {
    #expect(throws: RecognitionFault.badGrammar(reason: "<g> is a part of itself")) { try graph("one <g>") }
    #expect(throws: RecognitionFault.badGrammar(reason: "it has no rule <h>")) { try graph("one <h>") }
  }

  @Test(.needsOptimization) func grammarsWithTooManySoundsAreRejected() {
    let doubling = (0..<40).map { "<r\($0)> = <r\($0 + 1)> <r\($0 + 1)>;" }.joined(separator: "\n")
    #expect(
      throws: RecognitionFault.tooManySounds(limit: SentenceGraph.stateLimit / SentenceGraph.leastSteps)
    ) {
      try graph("<r0>;\n\(doubling)\n<r40> = one")
    }
  }
}
