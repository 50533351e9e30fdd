import Platform

/// A temperature and the scale that was said with it.
struct Temperature: Sendable, Equatable {
  enum Unit: String, Sendable { case celsius, fahrenheit }

  let degrees: Double
  let unit: Unit?

  var json: JSON {
    ["degrees": .rounded(degrees, digits: 6), "unit": unit.map { .string($0.rawValue) } ?? .null]
  }
}

/// A sum of money; the currency by its ISO 4217 code.
struct Money: Sendable, Equatable {
  let amount: Double
  let currency: String

  var json: JSON { ["amount": .rounded(amount, digits: 2), "currency": .string(currency)] }
}

/// Quantities with a unit.
extension EntityReader {
  // MARK: Durations

  private static let units: [String: Double] = {
    var units: [String: Double] = [:]
    for (names, seconds) in [
      (["second", "seconds", "sec", "secs", "s"], 1.0), (["minute", "minutes", "min", "mins", "m"], 60),
      (["hour", "hours", "hr", "hrs", "h"], 3_600), (["day", "days", "d"], 86_400),
      (["week", "weeks"], 604_800), (["fortnight", "fortnights"], 1_209_600),
    ] {
      for name in names { units[name] = seconds }
    }
    return units
  }()

  /// Seconds: "two hours", "half an hour", "an hour and a half", "1h 30m", "two hours twenty".
  func durations(at index: Int) -> [Reading<Double>] {
    let start = knowsWords ? text.end(of: "in", at: index) ?? index : index
    var found: [Reading<Double>] = []
    for first in simpleDurations(at: start) { extend(first.reading, unit: first.unit, into: &found) }
    return found
  }

  /// Adds what may follow: a half, smaller units, a bare number of the next smaller one.
  private func extend(_ reading: Reading<Double>, unit: Double, into found: inout [Reading<Double>]) {
    found.append(reading)
    guard found.count < 24, knowsWords || unit > 1 else { return }
    if let end = text.end(of: "and a half", at: reading.end) {
      found.append(Reading(end: end, value: reading.value + unit / 2))
    }
    if let end = text.end(of: "and a quarter", at: reading.end) {
      found.append(Reading(end: end, value: reading.value + unit / 4))
    }
    let next = text.end(of: "and", at: reading.end) ?? reading.end
    for more in simpleDurations(at: next) where more.unit < unit && more.reading.value < unit {
      extend(
        Reading(end: more.reading.end, value: reading.value + more.reading.value), unit: more.unit,
        into: &found)
    }
    guard unit == 3_600 || unit == 60 else { return }
    for number in numbers(at: reading.end)
    where number.value < 60 && number.value > 0 && number.value == number.value.rounded()
      && simpleDurations(at: reading.end).isEmpty
    {
      found.append(Reading(end: number.end, value: reading.value + number.value * unit / 60))
    }
  }

  /// A number with one unit.
  private func simpleDurations(at index: Int) -> [(reading: Reading<Double>, unit: Double)] {
    var found: [(Reading<Double>, Double)] = []
    func add(_ count: Double, _ place: Int) {
      guard count >= 0, let unit = Self.units[text.word(place)] else { return }
      if text.word(place).count == 1, !text.touches(place) { return }
      found.append((Reading(end: place + 1, value: count * unit), unit))
    }
    for number in numbers(at: index) { add(number.value, number.end) }
    guard knowsWords, found.isEmpty else { return found }
    for (phrase, count) in [
      ("half an", 0.5), ("half a", 0.5), ("a half", 0.5), ("a quarter of an", 0.25), ("quarter of an", 0.25),
      ("three quarters of an", 0.75), ("a", 1), ("an", 1), ("one", 1),
    ] {
      if let end = text.end(of: phrase, at: index) { add(count, end) }
    }
    return found
  }

  // MARK: Temperatures

  /// "twenty one degrees", "20°C", "minus five", "seventy fahrenheit".
  func temperatures(at index: Int) -> [Reading<Temperature>] {
    var found: [Reading<Temperature>] = []
    for number in numbers(at: index) {
      func add(_ end: Int, _ unit: Temperature.Unit?) {
        found.append(Reading(end: end, value: Temperature(degrees: number.value, unit: unit)))
      }
      add(number.end, nil)
      let degrees = text.end(ofAny: ["degrees", "degree", "°"], at: number.end)
      if let degrees { add(degrees, nil) }
      let place = degrees ?? number.end
      let isShort = degrees != nil || text.touches(place)
      switch text.word(place) {
      case "celsius", "centigrade": add(place + 1, .celsius)
      case "fahrenheit": add(place + 1, .fahrenheit)
      case "c" where isShort: add(place + 1, .celsius)
      case "f" where isShort: add(place + 1, .fahrenheit)
      default: break
      }
    }
    return found
  }

  // MARK: Money

  private static let currencies: [String: String] = [
    "dollar": "USD", "dollars": "USD", "buck": "USD", "bucks": "USD", "usd": "USD", "$": "USD",
    "pound": "GBP", "pounds": "GBP", "quid": "GBP", "gbp": "GBP", "£": "GBP",
    "euro": "EUR", "euros": "EUR", "eur": "EUR", "€": "EUR", "yen": "JPY", "jpy": "JPY", "¥": "JPY",
    "franc": "CHF", "francs": "CHF", "chf": "CHF", "rupee": "INR", "rupees": "INR", "₹": "INR",
  ]
  private static let coins: [String: [String]] = [
    "cent": ["USD", "EUR"], "cents": ["USD", "EUR"], "penny": ["GBP", "USD"], "pennies": ["GBP", "USD"],
    "pence": ["GBP"], "p": ["GBP"], "centimes": ["CHF"], "paise": ["INR"],
  ]

  /// "$5.50", "five pounds fifty", "two dollars and fifty cents", "fifty cents", "a tenner" not.
  func amounts(at index: Int) -> [Reading<Money>] {
    var found: [Reading<Money>] = []
    func add(_ end: Int, _ amount: Double, _ currency: String) {
      found.append(Reading(end: end, value: Money(amount: amount, currency: currency)))
    }
    if ["$", "£", "€", "¥", "₹"].contains(text.word(index)), let currency = Self.currencies[text.word(index)]
    {
      for number in numbers(at: index + 1) where number.value >= 0 { add(number.end, number.value, currency) }
      return found
    }
    var counts = numbers(at: index)
    if counts.isEmpty, knowsWords, let end = text.end(ofAny: ["a", "an"], at: index) {
      counts = [Reading(end: end, value: 1)]
    }
    for count in counts where count.value >= 0 {
      if let coin = Self.coins[text.word(count.end)] { add(count.end + 1, count.value / 100, coin[0]) }
      guard let currency = Self.currencies[text.word(count.end)] else { continue }
      let end = count.end + 1
      add(end, count.value, currency)
      guard knowsWords else { continue }
      let next = text.end(of: "and", at: end) ?? end
      for small in numbers(at: next) where small.value > 0 && small.value < 100 {
        let isCoin = Self.coins[text.word(small.end)]?.contains(currency) ?? false
        if next == end { add(small.end, count.value + small.value / 100, currency) }
        if isCoin { add(small.end + 1, count.value + small.value / 100, currency) }
      }
    }
    return found
  }
}
