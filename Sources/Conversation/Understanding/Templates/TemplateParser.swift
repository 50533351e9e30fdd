import TextProcessing

/// Parses one sentence template, in time linear in its length.
package struct TemplateParser {
  package static let depthLimit = 24
  package static let lengthLimit = 4_000
  package static let permutationLimit = 6

  /// What is wrong, and the code point where.
  package struct Failure: Error, Equatable {
    package let problem: TemplateProblem
    package let offset: Int
  }

  private static let special = Set("()[]{}<>|;".unicodeScalars)

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  /// Parses `text`, ignoring white space at its ends.
  package static func parse(_ text: String) throws(Failure) -> Template {
    var parser = TemplateParser(scalars: Array(text.unicodeScalars))
    guard parser.scalars.count <= lengthLimit else {
      throw Failure(problem: .tooLong(limit: lengthLimit), offset: lengthLimit)
    }
    let template = try parser.group(closer: nil, openedAt: 0)
    guard template != .nothing else { throw Failure(problem: .empty, offset: 0) }
    return template
  }

  /// Whether `text` contains template notation.
  package static func isTemplate(_ text: String) -> Bool {
    text.unicodeScalars.contains { special.contains($0) || $0 == "\\" }
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// Parses up to `closer` or the end: a sequence, alternatives, or a permutation.
  private mutating func group(closer: Unicode.Scalar?, openedAt start: Int) throws(Failure) -> Template {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw fail(.tooDeep(limit: Self.depthLimit), start) }
    var branches: [[Template]] = [[]]
    var separator: Unicode.Scalar?
    while true {
      guard index < scalars.count else {
        guard let closer else { break }
        throw fail(.unclosed(closer == ")" ? "(" : "["), start)
      }
      let scalar = scalars[index]
      switch scalar {
      case "(", "[":
        let from = index
        index += 1
        let inner = try group(closer: scalar == "(" ? ")" : "]", openedAt: from)
        guard inner != .nothing else { throw fail(.emptyGroup, from) }
        branches[branches.count - 1].append(scalar == "(" ? inner : Self.optional(inner))
        continue
      case "{", "<": branches[branches.count - 1].append(try reference(opener: scalar))
      case "|", ";":
        guard separator == nil || separator == scalar else { throw fail(.mixedSeparators, index) }
        separator = scalar
        branches.append([])
        index += 1
      case ")", "]", "}", ">":
        guard scalar == closer else { throw fail(.unopened(Character(scalar)), index) }
        index += 1
        return try assemble(branches, separator, start)
      default:
        let text = try literal(isFirst: closer == nil && branches == [[]])
        if !text.isEmpty { branches[branches.count - 1].append(.text(text)) }
      }
    }
    return try assemble(branches, separator, start)
  }

  private func assemble(
    _ branches: [[Template]], _ separator: Unicode.Scalar?, _ start: Int
  ) throws(Failure) -> Template {
    let items = branches.map { $0.count == 1 ? $0[0] : Template.sequence($0) }
    switch separator {
    case "|": return items.allSatisfy { $0 == .nothing } ? .nothing : .alternative(items)
    case ";":
      guard items.count <= Self.permutationLimit else {
        throw fail(.tooManyToPermute(limit: Self.permutationLimit), start)
      }
      let parts = items.filter { $0 != .nothing }
      return .permutation(parts.map { .sequence([.text(" "), $0, .text(" ")]) })
    default: return items[0]
    }
  }

  private static func optional(_ inner: Template) -> Template {
    if case .alternative(let items) = inner { return .alternative(items + [.nothing]) }
    return .alternative([inner, .nothing])
  }

  private mutating func reference(opener: Unicode.Scalar) throws(Failure) -> Template {
    let start = index
    let closer: Unicode.Scalar = opener == "{" ? "}" : ">"
    guard let end = scalars[start...].firstIndex(of: closer) else {
      throw fail(.unclosed(Character(opener)), start)
    }
    var name = ""
    name.unicodeScalars.append(contentsOf: scalars[start + 1..<end])
    name = String(name.drop { $0 == " " })
    while name.last == " " { name.removeLast() }
    index = end + 1
    guard !name.isEmpty else { throw fail(.emptyName(Character(opener)), start) }
    if name.unicodeScalars.contains(where: { Self.special.contains($0) }) {
      throw fail(.unclosed(Character(opener)), start)
    }
    guard opener == "{" else {
      try check(name, start)
      return .rule(name: name, offset: start)
    }
    return .list(try list(name, start))
  }

  private func list(_ name: String, _ start: Int) throws(Failure) -> Template.ListReference {
    var parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1 { parts.append(parts[0]) }
    let isCapture = parts[1].hasPrefix("@")
    if isCapture { parts[1].removeFirst() }
    if parts[0].hasPrefix("@") { parts[0].removeFirst() }
    guard !parts[0].isEmpty, !parts[1].isEmpty else { throw fail(.emptyName("{"), start) }
    let next = index < scalars.count ? scalars[index] : " "
    let reference = Template.ListReference(
      list: parts[0], slot: parts[1], isCapture: isCapture,
      isGlued: !Self.isSpace(next) && !Self.special.contains(next), offset: start)
    if let range = reference.inlineRange {
      if let reason = NumberRange.fault(from: range.from, to: range.to, step: range.step) {
        throw fail(.badRange(list: parts[0], reason: reason), start)
      }
    } else {
      try check(parts[0], start)
    }
    try check(parts[1], start)
    return reference
  }

  private func check(_ name: String, _ start: Int) throws(Failure) {
    let isName = name.unicodeScalars.allSatisfy { Punctuation.isWord($0) || $0 == "-" || $0 == "." }
    guard isName else { throw fail(.badName(name), start) }
  }

  private mutating func literal(isFirst: Bool) throws(Failure) -> String {
    var text: [Unicode.Scalar] = []
    while index < scalars.count, !Self.special.contains(scalars[index]) {
      var scalar = scalars[index]
      index += 1
      if Self.isSpace(scalar) {
        if text.last != " " { text.append(" ") }
        continue
      }
      if scalar == "\\" {
        guard index < scalars.count else { throw fail(.danglingEscape, index - 1) }
        scalar = scalars[index]
        index += 1
      }
      text.append(scalar == "’" ? "'" : scalar)
    }
    if isFirst, text.first == " " { text.removeFirst() }
    if index == scalars.count, depth == 1, text.last == " " { text.removeLast() }
    return Punctuation.stripped(text, isLast: index == scalars.count)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  private func fail(_ problem: TemplateProblem, _ offset: Int) -> Failure {
    Failure(problem: problem, offset: offset)
  }
}
