import Platform

/// The name of a plug-in in command lines and configuration files: `KIND`, or `KIND:ADDRESS[,OPTION=VALUE]…`.
///
/// The kind is the scheme of an address that begins with `//`: `https://host/path`.
package struct PlugInName: Sendable, Equatable {
  package let kind: String
  /// Without the options.
  package let address: String
  /// The whole text.
  package let text: String
  private let options: [String: String]

  /// - Throws: ``PlugInFault/notAnOption(_:plugIn:)``, also for an option that is given twice.
  package init(_ text: String) throws(PlugInFault) {
    self.text = text
    let colon = text.firstIndex(of: ":")
    kind = colon.map { String(text[..<$0]) } ?? text
    let rest = colon.map { String(text[text.index(after: $0)...]) } ?? ""
    let parts = rest.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    address = (rest.hasPrefix("//") ? kind + ":" : "") + (parts.first ?? "")
    var options: [String: String] = [:]
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "="), equals != part.startIndex,
        options.updateValue(String(part[part.index(after: equals)...]), forKey: String(part[..<equals]))
          == nil
      else { throw .notAnOption(part, plugIn: kind) }
    }
    self.options = options
  }

  /// The value of an option; nil if it is missing.
  package subscript(option: String) -> String? { options[option] }

  /// A number of seconds.
  package func seconds(_ option: String, in range: ClosedRange<Double>) throws(PlugInFault) -> Double? {
    guard let text = options[option] else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw .badSeconds(option: option, plugIn: kind, range: range)
    }
    return number
  }

  /// A whole number.
  package func whole(_ option: String, in range: ClosedRange<Int>) throws(PlugInFault) -> Int? {
    guard let text = options[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badNumber(option: option, plugIn: kind, range: range)
    }
    return number
  }

  /// The value of a required option.
  package func required(_ option: String) throws(PlugInFault) -> String {
    guard let text = options[option], !text.isEmpty else { throw .missingOption(option, plugIn: kind) }
    return text
  }

  /// The value of one of two options that exclude each other.
  package func either(_ option: String, or other: String) throws(PlugInFault) -> String? {
    if options[option] != nil, options[other] != nil { throw .oneOfTwo(option, other, plugIn: kind) }
    return options[option] ?? options[other]
  }

  /// Rejects options other than `known`.
  package func check(options known: [String]) throws(PlugInFault) {
    guard let other = options.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw .unknownOption(other, plugIn: kind, known: known)
  }
}

/// The faults of a plug-in's name.
package enum PlugInFault: Fault, Equatable {
  /// A part between commas is not `OPTION=VALUE`, or repeats an option.
  case notAnOption(String, plugIn: String)
  case unknownOption(String, plugIn: String, known: [String])
  case missingOption(String, plugIn: String)
  case oneOfTwo(String, String, plugIn: String)
  case badSeconds(option: String, plugIn: String, range: ClosedRange<Double>)
  case badNumber(option: String, plugIn: String, range: ClosedRange<Int>)

  package var exitCode: ExitCode { .configuration }

  package var message: String {
    switch self {
    case .notAnOption(let text, let plugIn):
      "\(plugIn): '\(text)' is not an option; write each once, as ',OPTION=VALUE'"
    case .unknownOption(let name, let plugIn, let known):
      known.isEmpty
        ? "\(plugIn): takes no options; remove '\(name)'"
        : "\(plugIn): unknown option '\(name)'; it takes \(known.joined(separator: ", "))"
    case .missingOption(let name, let plugIn): "\(plugIn): '\(name)' is missing; add ',\(name)=…'"
    case .oneOfTwo(let name, let other, let plugIn): "\(plugIn): takes '\(name)' or '\(other)', not both"
    case .badNumber(let option, let plugIn, let range):
      "\(plugIn): \(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .badSeconds(let option, let plugIn, let range):
      "\(plugIn): \(option) takes seconds from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}
