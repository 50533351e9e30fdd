import Platform

/// Writes a value as YAML that people read and change: one line for a value without further lists or mappings.
package enum YAMLWriter {
  private static let width = 110
  /// Bytes of a key that is followed by a colon only.
  private static let longestKey = 1_024

  /// The text of a mapping, which ends with a line break.
  package static func text(of value: JSON) -> String {
    var text = ""
    write(value, indent: 0, into: &text)
    return text
  }

  private static func write(_ value: JSON, indent: Int, into text: inout String) {
    let margin = String(repeating: "  ", count: indent)
    switch value {
    case .object(let members) where !members.isEmpty:
      for member in members {
        text += "\(margin)\(key(member.name, end: "\n\(margin)")):"
        writeItem(member.value, indent: indent, into: &text)
      }
    case .array(let items) where !items.isEmpty:
      for item in items {
        var lines = ""
        if fits(item, indent: indent) {
          lines = "\(margin)  \(flow(item))\n"
        } else {
          write(item, indent: indent + 1, into: &lines)
        }
        text += "\(margin)- \(lines.dropFirst(margin.count + 2))"
      }
    default: text += "\(margin)\(flow(value))\n"
    }
  }

  /// Whether a value is written on the line of its key or dash.
  private static func fits(_ value: JSON, indent: Int) -> Bool {
    switch value {
    case .object, .array: isFlat(value) && flow(value).count + 2 * indent <= width
    default: true
    }
  }

  /// What follows a key.
  private static func writeItem(_ value: JSON, indent: Int, into text: inout String) {
    if fits(value, indent: indent) {
      text += " \(flow(value))\n"
    } else {
      text += "\n"
      write(value, indent: indent + 1, into: &text)
    }
  }

  /// Whether the value is written on one line, if it fits.
  private static func isFlat(_ value: JSON) -> Bool {
    switch value {
    case .object(let members): members.allSatisfy { isFlat($0.value) && $0.value.members == nil }
    case .array(let items): items.allSatisfy { isFlat($0) && $0.members == nil && $0.array == nil }
    default: true
    }
  }

  private static func flow(_ value: JSON) -> String {
    switch value {
    case .object(let members):
      "{" + members.map { "\(key($0.name, end: " ")): \(flow($0.value))" }.joined(separator: ", ") + "}"
    case .array(let items): "[" + items.map(flow).joined(separator: ", ") + "]"
    default: scalar(value)
    }
  }

  /// A key; one that is too long to be recognized by the colon after it is marked, with `end` after it (YAML 1.2, 7.4.3).
  private static func key(_ name: String, end: String) -> String {
    let text = scalar(.string(name))
    return text.utf8.count < longestKey ? text : "? \(text)\(end)"
  }

  /// Text that could be read as something else is quoted, as in JSON.
  private static func scalar(_ value: JSON) -> String {
    guard let text = value.string else { return value.description }
    let isWord = text.first?.isLetter ?? false
    let isPlain =
      isWord
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || (0x30...0x39).contains($0.value) || $0 == "_"
      }
    let isReserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    return isPlain && !isReserved ? text : quoted(value)
  }

  /// As in JSON, without the line breaks and other signs that YAML allows in no quotes or reads differently (YAML 1.2, 5.1 and 5.4).
  private static func quoted(_ value: JSON) -> String {
    var text = ""
    for scalar in value.description.unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
