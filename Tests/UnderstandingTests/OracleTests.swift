import Platform
import TestServers
import Testing
import Understanding

// Fixtures/hassil.json: five intent files with sentences sampled from them, mangled and written by hand, and what
// PyPI hassil 3.12.1's `recognize_best` makes of each; a Python script of about 190 lines dumped its answers.
@Suite(.limited) struct OracleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let group: String
    let yaml: String
    let cases: [JSON]
    var testDescription: String { group }
  }

  static let groups: [Case] = {
    guard let bytes = try? Files.read(Fixtures.path("hassil.json")),
      let groups = try? JSON(parsing: bytes, what: "hassil.json")
    else { return [] }
    return (groups.array ?? []).map {
      Case(group: $0["name"]?.string ?? "", yaml: $0["yaml"]?.string ?? "", cases: $0["cases"]?.array ?? [])
    }
  }()

  /// Differences from hassil: more literal text is preferred to fewer wildcards, so that the artist is recognized.
  static let departures = [
    "play stand by me by ben e king", "play stand by me", "Play Thriller by Michael Jackson in the kitchen",
  ]

  @Test func theFixturesHoldHundredsOfSentences() {
    #expect(Self.groups.reduce(0) { $0 + $1.cases.count } > 300)
  }

  @Test(arguments: groups) func agreesWithHassil(_ group: Case) throws {
    let understander = try Understander(IntentFile(parsing: Array(group.yaml.utf8), name: group.group))
    for expected in group.cases {
      let text = expected["text"]?.string ?? ""
      let found = understander.interpret(text)
      #expect(found.intent?.name == expected["intent"]?.string, "\(text)")
      if Self.departures.contains(text) { continue }
      guard found.intent != nil, let slots = expected["slots"]?.members else { continue }
      let values = found.slots.sorted { $0.name < $1.name }.map { JSON.Member($0.name, $0.value) }
      #expect(JSON.object(values) == .object(slots.sorted { $0.name < $1.name }), "\(text)")
      for range in expected["ranges"]?.members ?? [] {
        let ends = range.value.array?.compactMap { $0.number.map { Int($0) } } ?? []
        let place = found[range.name]?.range.map { [$0.lowerBound, $0.upperBound] }
        #expect(place == ends, "\(text): \(range.name)")
      }
    }
  }
}
