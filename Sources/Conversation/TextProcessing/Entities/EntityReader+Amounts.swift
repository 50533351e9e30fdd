import Platform

/// A temperature, and its unit where one was said.
struct Temperature: Sendable, Equatable {
  enum Unit: String, Sendable { case celsius, fahrenheit, kelvin }

  let degrees: Double
  let unit: Unit?

  var json: JSON {
    ["degrees": .rounded(degrees, digits: 6), "unit": unit.map { .string($0.rawValue) } ?? .null]
  }
}

/// An amount of money; the currency is an ISO 4217 code.
struct Money: Sendable, Equatable {
  let amount: Double
  let currency: String

  var json: JSON { ["amount": .rounded(amount, digits: 2), "currency": .string(currency)] }
}

/// Temperatures and money.
extension EntityReader {
  // MARK: Temperatures

  /// "twenty one degrees", "20°C", "minus five", "seventy fahrenheit", "five degrees below zero", "half a degree".
  func temperatures(at index: Int) -> [Reading<Temperature>] {
    var found: [Reading<Temperature>] = []
    func add(_ end: Int, _ degrees: Double, _ unit: Temperature.Unit? = nil) {
      found.append(Reading(end: end, value: Temperature(degrees: degrees, unit: unit)))
      guard isEnglish, degrees > 0 else { return }
      if let below = text.end(ofAny: ["below zero", "below"], at: end) {
        found.append(Reading(end: below, value: Temperature(degrees: -degrees, unit: unit)))
      }
      if let above = text.end(of: "above zero", at: end) {
        found.append(Reading(end: above, value: Temperature(degrees: degrees, unit: unit)))
      }
    }
    func addUnits(_ place: Int, _ degrees: Double) {
      switch text.word(place) {
      case "celsius", "centigrade", "c": add(place + 1, degrees, .celsius)
      case "fahrenheit", "f": add(place + 1, degrees, .fahrenheit)
      case "kelvin", "kelvins", "k": add(place + 1, degrees, .kelvin)
      default: break
      }
    }
    let signs = ["degrees", "degree", "deg", "°"]
    for number in numbers(at: index) {
      add(number.end, number.value)
      addUnits(number.end, number.value)
      guard let end = text.end(ofAny: signs, at: number.end) else { continue }
      add(end, number.value)
      addUnits(end, number.value)
    }
    if let part = fraction(at: index), let start = text.end(ofAny: ["a", "of a"], at: part.end),
      let end = text.end(of: "degree", at: start)
    {
      add(end, part.value)
      addUnits(end, part.value)
    }
    return found
  }

  // MARK: Money

  private static let signs = [
    "$": "USD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW",
  ]
  private static let codes: Set<String> = [
    "usd", "gbp", "eur", "jpy", "chf", "inr", "cad", "aud", "nzd", "sgd", "hkd", "sek", "nok", "dkk", "pln",
    "czk", "huf", "cny", "rub", "krw", "mxn", "brl", "try", "zar", "ils",
  ]
  private static let currencies: [String: String] = [
    "dollar": "USD", "dollars": "USD", "buck": "USD", "bucks": "USD", "pound": "GBP", "pounds": "GBP",
    "quid": "GBP", "euro": "EUR", "euros": "EUR", "yen": "JPY", "franc": "CHF", "francs": "CHF",
    "rupee": "INR", "rupees": "INR", "zloty": "PLN", "zlotys": "PLN", "forint": "HUF", "forints": "HUF",
    "yuan": "CNY", "renminbi": "CNY", "ruble": "RUB", "rubles": "RUB", "roubles": "RUB", "rand": "ZAR",
    "shekel": "ILS", "shekels": "ILS", "lira": "TRY",
  ]
  /// Currencies that a nationality distinguishes: by the currency's name, then the nationality.
  private static let national: [String: [String: String]] = {
    var national: [String: [String: String]] = [:]
    for (names, codes) in [
      (
        ["dollar", "dollars"],
        [
          "us": "USD", "u s": "USD", "american": "USD", "canadian": "CAD", "australian": "AUD",
          "new zealand": "NZD", "singapore": "SGD", "hong kong": "HKD",
        ]
      ),
      (["franc", "francs"], ["swiss": "CHF"]), (["pound", "pounds"], ["british": "GBP"]),
      (["rupee", "rupees"], ["indian": "INR"]), (["yen"], ["japanese": "JPY"]),
      (["krona", "kronor", "crowns"], ["swedish": "SEK"]),
      (["krone", "kroner", "crowns"], ["norwegian": "NOK", "danish": "DKK"]),
      (["koruna", "korunas", "crowns"], ["czech": "CZK"]), (["peso", "pesos"], ["mexican": "MXN"]),
      (["real", "reais"], ["brazilian": "BRL"]), (["won"], ["korean": "KRW", "south korean": "KRW"]),
      (["lira", "liras"], ["turkish": "TRY"]), (["zloty", "zlotys"], ["polish": "PLN"]),
      (["yuan"], ["chinese": "CNY"]), (["rubles", "roubles"], ["russian": "RUB"]),
    ] {
      for name in names { national[name] = codes }
    }
    return national
  }()
  private static let coins: [String: [String]] = [
    "cent": ["USD", "EUR", "CAD", "AUD", "NZD", "SGD", "HKD"],
    "cents": ["USD", "EUR", "CAD", "AUD", "NZD", "SGD", "HKD"], "¢": ["USD"],
    "penny": ["GBP", "USD"], "pennies": ["GBP", "USD"], "pence": ["GBP"], "p": ["GBP"],
    "centimes": ["CHF", "EUR"], "rappen": ["CHF"], "paise": ["INR"],
  ]

  /// "$5.50", "USD 20", "five pounds fifty", "two dollars and fifty cents", "ten swiss francs", "half a dollar".
  func amounts(at index: Int) -> [Reading<Money>] {
    var found: [Reading<Money>] = []
    func add(_ end: Int, _ amount: Double, _ currency: String) {
      found.append(Reading(end: end, value: Money(amount: amount, currency: currency)))
    }
    if let code = Self.signs[text.word(index)] ?? code(at: index) {
      for number in numbers(at: index + 1) where number.value >= 0 { add(number.end, number.value, code) }
      return found
    }
    for count in amountsOfUnits(at: index) where count.value >= 0 {
      if let coin = Self.coins[text.word(count.end)] { add(count.end + 1, count.value / 100, coin[0]) }
      guard let (end, currency) = currency(at: count.end) else { continue }
      add(end, count.value, currency)
      guard isEnglish, count.value == count.value.rounded() else { continue }
      let next = text.end(of: "and", at: end) ?? end
      for small in numbers(at: next) where small.value > 0 && small.value < 100 {
        let isCoin = Self.coins[text.word(small.end)]?.contains(currency) ?? false
        add(small.end, count.value + small.value / 100, currency)
        if isCoin { add(small.end + 1, count.value + small.value / 100, currency) }
      }
      if let part = text.word(end) == "and" ? fraction(at: end + 1) : nil {
        add(part.end, count.value + part.value, currency)
      }
    }
    return found
  }

  private func amountsOfUnits(at index: Int) -> [Reading<Double>] {
    guard let part = fraction(at: index), let end = text.end(ofAny: ["a", "of a"], at: part.end) else {
      return counts(at: index)
    }
    return numbers(at: index) + [Reading(end: end, value: part.value)]
  }

  private func code(at index: Int) -> String? {
    let word = text.word(index)
    return Self.codes.contains(word) && (word != "try" || !isEnglish) ? word.uppercased() : nil
  }

  private func currency(at index: Int) -> (end: Int, code: String)? {
    let word = text.word(index)
    if let code = Self.signs[word] ?? code(at: index) { return (index + 1, code) }
    guard isEnglish else { return nil }
    for length in 1...2 {
      guard let nations = Self.national[text.word(index + length)] else { continue }
      let nation = (index..<index + length).map(text.word).joined(separator: " ")
      if let code = nations[nation] { return (index + length + 1, code) }
    }
    guard let code = Self.currencies[word] else { return nil }
    return (text.end(of: "sterling", at: index + 1) ?? index + 1, code)
  }
}
