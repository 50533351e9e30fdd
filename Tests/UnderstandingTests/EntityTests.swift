import Platform
import TestServers
import Testing
import TextProcessing
import Understanding

/// Built-in entities in templates, and their values on Saturday, 2026-11-21, at 16:05.
@Suite(.limited) struct EntityTests {
  static let now = LocalTime(year: 2026, month: 11, day: 21, hour: 16, minute: 5)

  struct Said: Sendable, CustomTestStringConvertible {
    let kind: String
    let text: String
    let value: JSON
    var testDescription: String { "\(kind): \(text)" }
    init(_ kind: String, _ text: String, _ value: JSON) {
      self.kind = kind
      self.text = text
      self.value = value
    }
  }

  static func value(_ kind: String, _ text: String) throws -> JSON? {
    try understander(kind).interpret(text)["x"]?.value
  }

  static func understander(_ kind: String) throws -> Understander {
    let yaml = "language: en\nintents: {A: {data: [{sentences: [\"{\(kind):x}\"]}]}}\n"
    return try Understander(IntentFile(parsing: Array(yaml.utf8), name: "test.yaml"), clock: { now })
  }

  static func money(_ amount: Double, _ currency: String) -> JSON {
    ["amount": .number(amount), "currency": .string(currency)]
  }

  static func degrees(_ degrees: Double, _ unit: JSON = nil) -> JSON {
    ["degrees": .number(degrees), "unit": unit]
  }

  static let said: [Said] = [
    Said("number", "twenty one", 21), Said("number", "twenty-one", 21), Said("number", "1,250", 1250),
    Said("number", "two and a half", 2.5), Said("number", "minus 4.5", -4.5), Said("number", "a dozen", 12),
    Said("number", "three hundred and five", 305),
    Said("ordinal", "third", 3), Said("ordinal", "twenty first", 21), Said("ordinal", "42nd", 42),
    Said("percentage", "forty percent", 40), Said("percentage", "12.5%", 12.5),
    Said("percentage", "half", 50), Said("percentage", "five per cent", 5),
    Said("date", "today", "2026-11-21"), Said("date", "Tomorrow", "2026-11-22"),
    Said("date", "the day after tomorrow", "2026-11-23"), Said("date", "monday", "2026-11-23"),
    Said("date", "on Saturday", "2026-11-28"), Said("date", "this saturday", "2026-11-21"),
    Said("date", "next friday", "2026-11-27"), Said("date", "last friday", "2026-11-20"),
    Said("date", "in three days", "2026-11-24"), Said("date", "two weeks ago", "2026-11-07"),
    Said("date", "a week from monday", "2026-11-30"), Said("date", "the 3rd of march", "2027-03-03"),
    Said("date", "december twenty fifth", "2026-12-25"), Said("date", "21 november 2028", "2028-11-21"),
    Said("date", "february 29", "2028-02-29"), Said("date", "2027-02-28", "2027-02-28"),
    Said("date", "12/24/2026", "2026-12-24"), Said("date", "24.12.2026", "2026-12-24"),
    Said("date", "friday march 5th", "2027-03-05"),
    Said("date", "friday march fifth 2027", "2027-03-05"),
    Said("date", "wednesday december first", "2026-12-01"), Said("date", "tuesday the first", "2026-12-01"),
    Said("date", "tuesday the second of next month", "2026-12-02"),
    Said("date", "the first", "2026-12-01"), Said("date", "new year's eve", "2026-12-31"),
    Said("time", "nine", "09:00"), Said("time", "half past nine", "09:30"),
    Said("time", "half nine", "09:30"),
    Said("time", "9:30 pm", "21:30"), Said("time", "21:45", "21:45"), Said("time", "nine thirty", "09:30"),
    Said("time", "quarter to eight in the evening", "19:45"), Said("time", "twenty past twelve", "12:20"),
    Said("time", "quarter to twelve in the morning", "11:45"), Said("time", "ten to twelve pm", "23:50"),
    Said("time", "quarter to five at night", "04:45"), Said("time", "ten to one in the morning", "00:50"),
    Said("time", "seven o'clock", "07:00"), Said("time", "nine p.m.", "21:00"), Said("time", "8am", "08:00"),
    Said("time", "noon", "12:00"), Said("time", "midnight", "00:00"), Said("time", "twelve am", "00:00"),
    Said("time", "ten to one", "12:50"), Said("time", "nine oh five", "09:05"),
    Said("time", "in two hours", "18:05"), Said("time", "nine tonight", "21:00"),
    Said("duration", "two hours", 7200), Said("duration", "in two hours and a half", 9000),
    Said("duration", "two and a half hours", 9000), Said("duration", "half an hour", 1800),
    Said("duration", "an hour and a half", 5400), Said("duration", "90 seconds", 90),
    Said("duration", "1h 30m", 5400), Said("duration", "one hour and twenty minutes", 4800),
    Said("duration", "two hours twenty", 8400), Said("duration", "a quarter of an hour", 900),
    Said("duration", "three days", 259_200), Said("duration", "a fortnight", 1_209_600),
    Said("temperature", "twenty one degrees", degrees(21)),
    Said("temperature", "20°C", degrees(20, "celsius")),
    Said("temperature", "minus five degrees celsius", degrees(-5, "celsius")),
    Said("temperature", "seventy fahrenheit", degrees(70, "fahrenheit")),
    Said("temperature", "19.5", degrees(19.5)),
    Said("money", "five pounds fifty", money(5.5, "GBP")), Said("money", "$5.50", money(5.5, "USD")),
    Said("money", "20 euros", money(20, "EUR")), Said("money", "€20", money(20, "EUR")),
    Said("money", "two dollars and fifty cents", money(2.5, "USD")),
    Said("money", "fifty cents", money(0.5, "USD")), Said("money", "a pound", money(1, "GBP")),
    Said("colour", "Red", "red"), Said("color", "gray", "grey"), Said("colour", "light blue", "light blue"),
  ]

  @Test(arguments: said) func resolves(_ said: Said) throws {
    #expect(try Self.value(said.kind, said.text) == said.value)
  }

  /// The lines of `Fixtures/entities.tsv`: more spoken forms.
  static let spoken: [Said] = {
    guard let bytes = try? Files.read(Fixtures.path("entities.tsv")) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t").map(String.init)
      guard parts.count == 3, let value = try? JSON(parsing: Array(parts[2].utf8), what: "a value") else {
        return nil
      }
      return Said(parts[0], parts[1], value)
    }
  }()

  @Test func repliesUseTheSpokenForm() throws {
    #expect(Self.spoken.count > 300)
    var understanders: [String: Understander] = [:]
    for said in Self.spoken {
      let understander = try understanders[said.kind] ?? Self.understander(said.kind)
      understanders[said.kind] = understander
      #expect(understander.interpret(said.text)["x"]?.value ?? .null == said.value, "\(said.testDescription)")
    }
  }

  @Test func digitsSaidOneByOneAreOneNumberOrMany() throws {
    let understander = try Fixtures.understander(
      """
      language: en
      intents:
        Dial: {data: [{sentences: ["dial {number:n}"]}]}
        Draw: {data: [{sentences: ["draw {number:balls}"]}], slots: {balls: {many: true}}}
      """)
    #expect(understander.interpret("dial one oh three")["n"]?.value == 103)
    #expect(understander.interpret("draw one two three")["balls"]?.value == [1, 2, 3])
  }

  @Test func thePartOfTheDayMayFollowTheDate() throws {
    let understander = try Understander(
      IntentFile(
        parsing: Array(
          """
          language: en
          intents: {Wake: {data: [{sentences: ["wake me {date:day} at {time:when}", "wake me at {time:when} {date:day}"]}]}}
          """.utf8), name: "test.yaml"), clock: { Self.now })
    for (text, day, time) in [
      ("wake me tomorrow evening at seven", "2026-11-22", "19:00"),
      ("wake me at half past ten monday night", "2026-11-23", "22:30"),
      ("wake me tomorrow morning at seven", "2026-11-22", "07:00"),
      ("wake me tonight at eleven", "2026-11-21", "23:00"),
      ("wake me tomorrow evening at 7 pm", "2026-11-22", "19:00"),
      ("wake me tomorrow afternoon at 13:30", "2026-11-22", "13:30"),
      ("wake me tomorrow at seven", "2026-11-22", "07:00"),
    ] {
      let found = understander.interpret(text)
      #expect(found["day"]?.value == .string(day), "\(text)")
      #expect(found["when"]?.value == .string(time), "\(text)")
    }
  }

  static let others: [(String, String)] = [
    ("number", "third"), ("number", "and"), ("ordinal", "three"), ("ordinal", "21 st"),
    ("percentage", "forty"), ("date", "february 30"), ("date", "2026-13-01"), ("date", "31/31/2026"),
    ("date", "someday"), ("date", "the forty first"), ("time", "twenty five"), ("time", "9:75"),
    ("time", "half past thirty"), ("duration", "two"), ("duration", "hours"), ("duration", "5 m"),
    ("money", "five"), ("money", "fifty pence dollars"), ("temperature", "degrees"), ("colour", "light"),
  ]

  @Test(arguments: others) func rejectsOtherText(_ kind: String, _ text: String) throws {
    #expect(try Self.value(kind, text) == nil)
  }

  @Test func aListOfATypeFillsASlotInASentence() throws {
    let yaml = """
      language: en
      intents:
        Wake: {data: [{sentences: ["wake me [up] [{day}] at {when}", "wake me [up] in {wait} please"]}]}
      lists: {day: {type: date}, when: {type: time}, wait: {type: duration}}
      responses: {Wake: "I wake you at {when}."}
      """
    let file = try IntentFile(parsing: Array(yaml.utf8), name: "test.yaml")
    let understander = try Understander(file, clock: { Self.now })
    let found = understander.interpret("Wake me up tomorrow at half past six!")
    #expect(found["day"]?.value == "2026-11-22")
    #expect(found["when"]?.value == "06:30")
    #expect(found["when"]?.text == "half past six")
    #expect(found["when"]?.range == 23..<36)
    #expect(found.reply == "I wake you at half past six.")
    #expect(understander.interpret("wake me in ten minutes please")["wait"]?.value == 600)
  }

  @Test func wordsBeforeAnEntityAreNotInItsReply() throws {
    let yaml = """
      language: en
      intents:
        Open: {data: [{sentences: ["open [{ordinal}] door"], response: door}]}
        Meet: {data: [{sentences: ["meet {date} {time}"]}]}
      responses: {Open: {door: "The {ordinal} door."}, Meet: "Meet {date} at {time}."}
      """
    let understander = try Understander(
      IntentFile(parsing: Array(yaml.utf8), name: "test.yaml"), clock: { Self.now })
    #expect(understander.interpret("open the third door").reply == "The third door.")
    let met = understander.interpret("meet tomorrow at seven", among: ["Meet"])
    #expect(met.reply == "Meet tomorrow at seven." && met["time"]?.range == 17..<22)
  }

  @Test func dayNumbersFollowTheCalendar() {
    #expect(LocalTime(year: 1970, month: 1, day: 1).dayNumber == 0)
    #expect(LocalTime(year: 2026, month: 11, day: 21).weekday == 5)
    for day in stride(from: -800_000, through: 800_000, by: 97) {
      #expect(LocalTime(dayNumber: day).dayNumber == day)
    }
    #expect(!LocalTime(year: 2027, month: 2, day: 29).isDate)
    #expect(LocalTime(year: 2028, month: 2, day: 29).isDate)
    let late = LocalTime(year: 2026, month: 12, day: 31, hour: 23, minute: 30)
    #expect(late.adding(seconds: 3_600) == LocalTime(year: 2027, month: 1, day: 1, hour: 0, minute: 30))
  }

  @Test(.needsOptimization) func anyTextIsReadInTime() throws {
    var random = RandomSource(seed: 3)
    let words = [
      "five", "hundred", "and", "a", "half", "past", "to", "in", "of", "the", "9", ":", "30", ",", ".", "-",
      "$", "pounds", "days", "from", "monday", "next", "may", "first", "hours", "999999999", "0", "%",
      "point", "oh", "million", "dozen", "month", "the", "week", "on", "tonight", "at", "light",
      "999999999999999",
    ]
    let start = MonotonicClock.threadTime()
    for _ in 0..<60 {
      let text = (0..<60).map { _ in words.randomElement(using: &random)! }.joined(separator: " ")
      for kind in EntityKind.allCases { _ = try Self.value(kind.rawValue, text) }
    }
    #expect(MonotonicClock.threadTime() - start < 30)
  }

  @Test(
    .needsOptimization,
    arguments: [
      "one ", "9", "9 ", "five hundred and ", "on the ", "$.5 ", "half a ", "2-", "the first of ",
    ])
  func rowsAreReadInTime(_ row: String) throws {
    let start = MonotonicClock.threadTime()
    for kind in EntityKind.allCases {
      let understander = try Self.understander(kind.rawValue)
      for length in [1_000, 1_000_000] {
        let text = String(String(repeating: row, count: length / row.count).prefix(length))
        #expect(length == 1_000 || understander.interpret(text).status == .notUnderstood)
        if length == 1_000 { _ = understander.interpret(text) }
      }
    }
    #expect(MonotonicClock.threadTime() - start < 5)
  }
}
