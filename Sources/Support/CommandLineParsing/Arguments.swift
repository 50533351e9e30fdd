import Platform

/// A command line, parsed by its ``CommandDefinition``.
///
/// GNU style: `--option value` or `--option=value`, options and operands in any order. `--` ends the options, and `-` is an operand
/// (standard input).
public struct Arguments: Sendable {
  public let operands: [String]
  /// Everything after the command's name, as it was given.
  public let words: [String]
  private let command: CommandDefinition
  private let values: [String: [String]]

  /// - Parameter words: everything after the command's name.
  public init(_ words: [String], for command: CommandDefinition) throws(UsageFault) {
    var operands: [String] = []
    var values: [String: [String]] = [:]
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        operands += words[index...]
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let equals = word.firstIndex(of: "=")
      let name = equals.map { String(word[..<$0]) } ?? word
      guard let option = command.options.first(where: { $0.name == name }) else {
        let suggestion = Suggestion.nearest(to: name, among: command.options.map(\.name) + ["--help"])
        throw .unknownOption(name, command: command.name, suggestion: suggestion)
      }
      let attached = equals.map { String(word[word.index(after: $0)...]) }
      if values[name] != nil, !option.isRepeatable {
        throw .repeatedOption(name, command: command.name)
      }
      guard let valueName = option.value else {
        if attached != nil { throw .unexpectedValue(option: name, command: command.name) }
        values[name] = [""]
        continue
      }
      if let attached {
        values[name, default: []].append(attached)
      } else if let defaultValue = option.defaultValue, index == words.count || words[index].hasPrefix("-") {
        values[name, default: []].append(defaultValue)
      } else if index < words.count, words[index] == "-" || !words[index].hasPrefix("--") {
        values[name, default: []].append(words[index])
        index += 1
      } else {
        throw .missingValue(option: name, value: valueName, command: command.name)
      }
    }
    for option in command.options {
      let given = values[option.name] ?? []
      if case .choice(let choices) = option.kind {
        try Self.check(given, among: choices, for: " for \(option.name)", command)
      }
      if given.contains(""), let expected = option.kind?.expectedWhenEmpty {
        throw .badValue(option: option.name, text: "", expected: expected, command: command.name)
      }
    }
    for option in command.options where option.isRequired && values[option.name] == nil {
      throw .missingOption(option.name, value: option.value ?? "", command: command.name)
    }
    let range = command.operands.range
    if operands.count < range.lowerBound {
      throw .missingOperand(command.operands.usage, command: command.name)
    }
    if operands.count > range.upperBound {
      throw .unexpectedOperand(operands[range.upperBound], command: command.name)
    }
    let kinds = ValueKind.places(of: command.operands)
    for (text, kind) in zip(operands, kinds) {
      if case .choice(let choices) = kind { try Self.check([text], among: choices, for: "", command) }
    }
    if operands.contains(""), let expected = kinds.last?.expectedWhenEmpty {
      throw .badValue(option: "an operand", text: "", expected: expected, command: command.name)
    }
    self.operands = operands
    self.words = words
    self.command = command
    self.values = values
  }

  private static func check(
    _ texts: [String], among choices: [String], for place: String, _ command: CommandDefinition
  ) throws(UsageFault) {
    guard let text = texts.first(where: { !choices.contains($0) }) else { return }
    let expected = choices.joined(separator: " or ") + place
    let suggestion = Suggestion.nearest(to: text, among: choices)
    throw .unknownWord(text, expected: expected, suggestion, command: command.name)
  }

  /// Whether the flag or option `name` is given.
  public func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of the option `name`; nil if it is absent.
  public func value(_ name: String) -> String? { values[name]?.last }

  /// All values of a repeatable option, in the order of the command line.
  public func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of `name` as a number; nil if it is absent.
  ///
  /// - Throws: ``UsageFault/badValue(option:text:expected:command:)`` outside `range`.
  public func number(_ name: String, in range: ClosedRange<Double>) throws(UsageFault) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw badValue(name, "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
    }
    return number
  }

  /// The value of `name` as a whole number; nil if it is absent.
  public func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageFault) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw badValue(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The value of `name`, one of `choices`; nil if it is absent.
  public func choice(_ name: String, of choices: [String]) throws(UsageFault) -> String? {
    guard let text = value(name) else { return nil }
    guard choices.contains(text) else { throw badValue(name, choices.joined(separator: " or ")) }
    return text
  }

  /// The fault for a value of `name` that is not what is `expected`.
  public func badValue(_ name: String, _ expected: String) -> UsageFault {
    .badValue(option: name, text: value(name) ?? "", expected: expected, command: command.name)
  }

  private func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
  }
}
