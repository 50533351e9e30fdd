import CFuzzing
import Platform

/// Changes values of JSON and YAML: removes, repeats, renames and replaces what is in them, also by parts of earlier values.
struct ValueMutator {
  private static let names = ["", "a", "name", "text", "é", "日本", "A b", "#", "- a", "0"]
  private static let texts =
    names + ["light", "computer", "7", "-1", "2.5", "true", "null", "on", "{area}", "[x]", "<a>", "(a|b)"]
    + ["2026-11-30", "07:30", "\"", "\n", "🙂", "\u{301}", "\u{2028}", String(repeating: "x", count: 300)]
  private static let numbers = [0, 1, -1, 2, 0.5, 100, 1000, 0x1p31, 0x1p53, 0x1p63, 1e25, -1e300, 1e-9]
  /// Parts of earlier values that are kept.
  private static let limit = 2000

  var random = RandomSource(seed: 0)
  private var known: [JSON] =
    Self.texts.map(JSON.string) + Self.numbers.map(JSON.number) + [.null, .bool(true), .bool(false)]
  private var names = Self.names

  /// One to four changes of `value`.
  mutating func change(_ value: JSON) -> JSON {
    learn(value)
    var value = value
    for _ in 0...Int.random(in: 0..<4, using: &random) { value = changed(value) }
    return value
  }

  /// Remembers a part of `value` instead of an earlier one.
  private mutating func learn(_ value: JSON) {
    var part = value
    while true {
      if let member = part.members?.randomElement(using: &random) {
        keep(member.name, in: \.names)
        part = member.value
      } else if let element = part.array?.randomElement(using: &random) {
        part = element
      } else {
        return keep(part, in: \.known)
      }
      if random.chance(0.4) { return keep(part, in: \.known) }
    }
  }

  private mutating func keep<Part>(_ part: Part, in list: WritableKeyPath<Self, [Part]>) {
    if self[keyPath: list].count < Self.limit {
      self[keyPath: list].append(part)
    } else {
      self[keyPath: list][Int.random(in: 0..<Self.limit, using: &random)] = part
    }
  }

  private mutating func changed(_ value: JSON) -> JSON {
    if random.chance(0.1) { return known.randomElement(using: &random)! }
    switch value {
    case .object(let members) where !members.isEmpty: return .object(changed(members))
    case .array(let values) where !values.isEmpty: return .array(changed(values))
    case .string(let text):
      // Messages have JSON in strings.
      if text.hasPrefix("{") || text.hasPrefix("["), let inner = try? JSON(parsing: Array(text.utf8)) {
        return .string(changed(inner).description)
      }
      return .string(
        String(decoding: fuzzedBytes(Array(text.utf8), limit: text.utf8.count + 20), as: UTF8.self))
    case .number(let number) where random.chance(0.5): return .number(number + (random.chance(0.5) ? 1 : -1))
    default: return known.randomElement(using: &random)!
    }
  }

  private mutating func changed(_ members: [JSON.Member]) -> [JSON.Member] {
    var members = members
    let index = Int.random(in: 0..<members.count, using: &random)
    let member = members[index]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: members.remove(at: index)
    case 1: members[index] = JSON.Member(names.randomElement(using: &random)!, member.value)
    case 2:
      let value = known.randomElement(using: &random)!
      members.insert(JSON.Member(names.randomElement(using: &random)!, value), at: index)
    case 3:
      for number in 0..<repeats() { members.append(JSON.Member("\(member.name)\(number)", member.value)) }
    case 4: members.swapAt(index, Int.random(in: 0..<members.count, using: &random))
    default: members[index] = JSON.Member(member.name, changed(member.value))
    }
    return members
  }

  private mutating func changed(_ values: [JSON]) -> [JSON] {
    var values = values
    let index = Int.random(in: 0..<values.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: values.remove(at: index)
    case 1: values.insert(known.randomElement(using: &random)!, at: index)
    case 2: values.insert(contentsOf: Array(repeating: values[index], count: repeats()), at: index)
    case 3: values.swapAt(index, Int.random(in: 0..<values.count, using: &random))
    default: values[index] = changed(values[index])
    }
    return values
  }

  /// Mostly few, sometimes as many as make tables grow.
  private mutating func repeats() -> Int { [1, 1, 2, 5, 30, 130].randomElement(using: &random)! }
}

/// `bytes` as libFuzzer changes them.
func fuzzedBytes(_ bytes: [UInt8], limit: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: max(limit, bytes.count)) { buffer, count in
    _ = buffer.initialize(fromContentsOf: bytes)
    count = LLVMFuzzerMutate(buffer.baseAddress, bytes.count, buffer.count)
  }
}
