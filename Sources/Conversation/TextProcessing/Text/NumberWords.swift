/// Numbers in English words: "twenty one", "a hundred and five", "minus three", "two point five", "first",
/// "nineteen oh five", "one point two million".
package enum NumberWords {
  /// One way to read a number at the start of a text.
  package struct Reading: Equatable, Sendable {
    /// The number of words, and the value.
    package let words: Int
    package let value: Double
  }

  private static let small: [String: Int] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
  ]
  private static let ordinals: [String: Int] = [
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70,
    "eightieth": 80, "ninetieth": 90,
  ]
  private static let scales = [
    "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 1_000_000_000_000,
  ]
  private static let scaleOrdinals = [
    "hundredth": "hundred", "thousandth": "thousand", "millionth": "million", "billionth": "billion",
  ]
  private static let units = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
  ]
  private static let tens = [
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
  ]

  /// Whether `word` ends an ordinal number: "first", "twentieth".
  package static func isOrdinal(_ word: String) -> Bool {
    ordinals[word] != nil || scaleOrdinals[word] != nil
  }

  /// The factor of "thousand", "million" and so on; nil for other words.
  package static func scale(_ word: String) -> Double? { scales[word].map(Double.init) }

  /// The digit in a number said digit by digit, where "oh" is zero; nil for other words.
  package static func digit(_ word: String) -> Int? {
    ["oh", "o"].contains(word) ? 0 : units.prefix(10).firstIndex(of: word)
  }

  /// The denominator of a fraction: 4 for "quarter" and "quarters", 3 for "third".
  package static func denominator(_ word: String, isMany: Bool) -> Int? {
    switch word {
    case "half", "halves": return 2
    case "quarter", "quarters", "fourths": return 4
    default: break
    }
    guard !isMany || word.hasSuffix("s"), let size = ordinals[isMany ? String(word.dropLast()) : word] else {
      return nil
    }
    return (3...10).contains(size) ? size : nil
  }

  /// The maximum number of words in one number.
  package static let wordLimit = 16

  /// All numbers that start at the first of `words` (lowercase, without hyphens), shortest first.
  package static func readings(_ words: some Collection<String>) -> [Reading] {
    var state = State()
    var readings: [Reading] = []
    for (index, word) in words.prefix(wordLimit).enumerated() {
      guard state.take(word) else { break }
      if let value = state.value { readings.append(Reading(words: index + 1, value: value)) }
      if state.isOver { break }
    }
    return readings
  }

  /// An integer between -10⁹ and 10⁹ in words, as in a grammar: "one hundred twenty one".
  package static func spelled(_ number: Int) -> String {
    if number < 0 { return "minus " + spelled(-number) }
    for (scale, name) in [(1_000_000, "million"), (1_000, "thousand"), (100, "hundred")] where number >= scale
    {
      let rest = number % scale
      return spelled(number / scale) + " " + name + (rest > 0 ? " " + spelled(rest) : "")
    }
    if number < 20 { return units[number] }
    return tens[number / 10] + (number % 10 > 0 ? " " + units[number % 10] : "")
  }

  /// An integer between -10⁹ and 10⁹ in words, without and with "and": "one hundred and five".
  package static func ways(toSay number: Int) -> [String] {
    let rest = number % 100
    guard number > 100, rest > 0 else { return [spelled(number)] }
    return [spelled(number), "\(spelled(number - rest)) and \(spelled(rest))"]
  }

  /// How `digits` (0 to 9) are said: "forty two", "nine hundred eleven", "nine hundred and eleven", "nine one one".
  ///
  /// Three digits and more, and those after a zero, are also said one by one; more than nine only so.
  package static func ways(toSay digits: some StringProtocol) -> [String] {
    let values = digits.compactMap(\.wholeNumberValue)
    guard !values.isEmpty, values.count == digits.count, values.allSatisfy({ $0 < 10 }) else { return [] }
    var said = values.count <= 9 ? Int(digits).map { ways(toSay: $0) } ?? [] : []
    if values.count >= 3 || values.count == 2 && values[0] == 0 {
      for zero in values.contains(0) ? ["zero", "oh"] : ["zero"] {
        said.append(values.map { $0 == 0 ? zero : units[$0] }.joined(separator: " "))
      }
    }
    return said
  }

  /// The number read so far.
  private struct State {
    private var total = 0
    private var current = 0
    private var scale = Int.max
    private var isNegative = false
    private var fraction: (digits: Int, divisor: Double)?
    /// The factor of a decimal number: "two point five million".
    private var factor = 1.0
    private var hasOh = false
    private var read = 0
    private var isComplete = false
    private(set) var isOver = false

    /// The value; nil where the words so far are not a number.
    var value: Double? {
      guard isComplete else { return nil }
      var size = Double(total + current)
      if let fraction { size = (size + Double(fraction.digits) / fraction.divisor) * factor }
      return isNegative ? -size : size
    }

    /// Adds the next word; false where the number does not continue with it.
    mutating func take(_ word: String) -> Bool {
      defer { read += 1 }
      if fraction != nil { return takeDecimal(word) }
      if hasOh { return takeLast(word) }
      if let number = NumberWords.small[word] { return add(number) }
      if let scale = NumberWords.scales[word] { return multiply(scale) }
      switch word {
      case "minus" where read == 0, "negative" where read == 0:
        isNegative = true
        return true
      case "a" where total + current == 0 && !isComplete, "an" where total + current == 0 && !isComplete:
        current = 1
        return true
      case "zero" where total + current == 0 && !isComplete: isComplete = true
      case "hundred" where (1...99).contains(current) && current % 10 != 0 || current == 10: current *= 100
      case "and" where isComplete && total + current >= 100 && current % 100 == 0:
        isComplete = false
        return true
      case "point" where isComplete || read == (isNegative ? 1 : 0):
        fraction = (0, 1)
        isComplete = false
        return true
      case "oh" where isComplete && total == 0 && (10...99).contains(current) && !hasOh:
        hasOh = true
        isComplete = false
        return true
      default: return takeOrdinal(word)
      }
      isComplete = true
      return true
    }

    /// Adds the digit after "nineteen oh".
    private mutating func takeLast(_ word: String) -> Bool {
      guard !isComplete, let number = NumberWords.small[word], number < 10 else { return false }
      current = current * 100 + number
      isComplete = true
      return true
    }

    private mutating func takeOrdinal(_ word: String) -> Bool {
      if let scale = NumberWords.scaleOrdinals[word] {
        if read == 0 { current = 1 }
        guard take(scale) else { return false }
      } else {
        guard let number = NumberWords.ordinals[word], add(number) else { return false }
      }
      isOver = true
      return true
    }

    private mutating func add(_ number: Int) -> Bool {
      if isComplete, total + current == 0 { return false }
      let below = current % 100
      if below == 0 && !(current == 1 && !isComplete) {
        current += number
      } else if below >= 20, below % 10 == 0, number < 10 {
        current += number
      } else if total == 0, (11...20).contains(current), number >= 10 {
        current = current * 100 + number
      } else {
        return false
      }
      isComplete = true
      return true
    }

    private mutating func multiply(_ size: Int) -> Bool {
      guard current > 0, size < scale else { return false }
      total += current * size
      current = 0
      scale = size
      isComplete = true
      return true
    }

    private mutating func takeDecimal(_ word: String) -> Bool {
      if isComplete, let scale = NumberWords.scales[word] {
        factor = Double(scale)
        isOver = true
        return true
      }
      guard let digit = NumberWords.digit(word), let old = fraction, old.divisor < 1e6 else { return false }
      fraction = (old.digits * 10 + digit, old.divisor * 10)
      isComplete = true
      return true
    }
  }
}
