import CFuzzing
import Networking
import Platform
import YAMLFormat

@testable import ESPHomeServer

/// Changes inputs by what they consist of: values of JSON and YAML, events, frames, lines, words and tensors are removed, repeated, exchanged
/// and replaced by those of earlier inputs. libFuzzer's changes of bytes alone would take very long to make another valid input of most of them.
struct Mutator {
  nonisolated(unsafe) static var shared = Mutator()

  /// Parts of earlier inputs that are kept.
  private static let limit = 1000

  private var random = RandomSource(seed: 0)
  private var values = ValueMutator()
  private var known: [[UInt8]] = []

  /// Another input like `bytes`; nil for three of four, because this takes longer than to change bytes, and if `bytes` are no valid input of
  /// `parser`, or have no parts.
  mutating func change(_ bytes: [UInt8], of parser: Parser, seed: UInt32) -> [UInt8]? {
    random = RandomSource(seed: UInt64(seed))
    values.random = random.stream(0)
    return random.chance(0.25) ? change(bytes, of: parser) : nil
  }

  private mutating func change(_ bytes: [UInt8], of parser: Parser) -> [UInt8]? {
    switch parser {
    case .json, .answers, .home: return change(json: bytes)
    case .settings, .intents:
      guard let value = try? YAMLReader.read(bytes, file: "fuzz").json else { return nil }
      let changed = values.change(value)
      let isYAML = changed.members != nil && random.chance(0.5)
      return Array((isYAML ? YAMLWriter.text(of: changed) : changed.description).utf8)
    case .web:
      guard let end = bytes.firstRange(of: [10, 10])?.upperBound else { return nil }
      return change(json: Array(bytes[end...])).map { bytes[..<end] + $0 }
    case .hermes:
      return rearranged(bytes.split(separator: 10).map { Array($0) }) { mutator, line in
        mutator.change(json: Array(line.dropFirst())).map { [line[0]] + $0 }
      }.map { Array($0.joined(separator: [10])) }
    case .wyoming, .transcription, .satellite:
      var decoder = WyomingDecoder(dataLimit: 64 << 10)
      let events = (try? decoder.feed(bytes)) ?? []
      return rearranged(events.map { $0.encoded() }) { mutator, bytes in
        var decoder = WyomingDecoder(dataLimit: 64 << 10)
        guard var event = try? decoder.feed(bytes).first else { return nil }
        event.data = mutator.values.change(.object(event.data)).members ?? []
        return event.encoded()
      }.map { Array($0.joined()) }
    case .esphome, .device:
      var decoder = PlainFrameDecoder()
      let frames = (try? decoder.feed(bytes[...])) ?? []
      return rearranged(frames.map { $0.plain() }) { _, bytes in
        var decoder = PlainFrameDecoder()
        guard let frame = try? decoder.feed(bytes[...]).first else { return nil }
        return APIFrame(type: frame.type, body: fuzzedBytes(frame.body, limit: frame.body.count + 20)).plain()
      }.map { Array($0.joined()) }
    case .model, .voice: return change(tensors: bytes)
    case .grammar, .table: return change(bytes, separator: 10)
    case .sentence: return change(bytes, separator: 32)
    case .wave, .websocket, .upgrade, .noise, .address: return nil
    }
  }

  private mutating func change(json bytes: [UInt8]) -> [UInt8]? {
    (try? JSON(parsing: bytes)).map { Array(values.change($0).description.utf8) }
  }

  private mutating func change(_ bytes: [UInt8], separator: UInt8) -> [UInt8]? {
    let parts = bytes.split(separator: separator, omittingEmptySubsequences: false).map { Array($0) }
    let changed = rearranged(parts) { _, part in fuzzedBytes(part, limit: part.count + 20) }
    return changed.map { Array($0.joined(separator: [separator])) }
  }

  /// One to four changes of the list.
  ///
  /// - Parameter change: another part like one of them.
  private mutating func rearranged(
    _ parts: [[UInt8]], _ change: (inout Mutator, [UInt8]) -> [UInt8]?
  ) -> [[UInt8]]? {
    guard let example = parts.randomElement(using: &random) else { return nil }
    if known.count < Self.limit {
      known.append(example)
    } else {
      known[Int.random(in: 0..<Self.limit, using: &random)] = example
    }
    var parts = parts
    for _ in 0...Int.random(in: 0..<4, using: &random) where !parts.isEmpty {
      let index = Int.random(in: 0..<parts.count, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: parts.remove(at: index)
      case 1: parts.swapAt(index, Int.random(in: 0..<parts.count, using: &random))
      case 2:
        let count = [1, 1, 2, 20].randomElement(using: &random)!
        parts.insert(contentsOf: Array(repeating: parts[index], count: count), at: index)
      case 3, 4: parts.insert(known.randomElement(using: &random)!, at: index)
      default: if let changed = change(&self, parts[index]) { parts[index] = changed }
      }
    }
    return parts
  }

  /// A tensor as a part: a line of its name, type and shape, then its bytes.
  private mutating func change(tensors bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 8 else { return nil }
    let length = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= bytes.count - 8, let header = try? JSON(parsing: Array(bytes[8..<8 + Int(length)])),
      let members = header.members
    else { return nil }
    let data = bytes[(8 + Int(length))...]
    var metadata: JSON = [:]
    var parts: [[UInt8]] = []
    for member in members {
      guard let offsets = member.value["data_offsets"]?.array?.compactMap(\.number) else {
        metadata = member.value
        continue
      }
      guard offsets.count == 2, 0 <= offsets[0], offsets[0] <= offsets[1], offsets[1] <= Double(data.count)
      else {
        return nil
      }
      let kept = (member.value.members ?? []).filter { $0.name != "data_offsets" }
      let line = Array("\(JSON.object([JSON.Member(member.name, .object(kept))]))\n".utf8)
      parts.append(line + data.dropFirst(Int(offsets[0])).prefix(Int(offsets[1] - offsets[0])))
    }
    if random.chance(0.6) {
      metadata = values.change(metadata)
    } else {
      parts =
        rearranged(parts) { mutator, part in
          guard let end = part.firstIndex(of: 10) else { return nil }
          let tensor = Array(part[(end + 1)...])
          if mutator.random.chance(0.5) { return part[...end] + fuzzedBytes(tensor, limit: tensor.count + 8) }
          return mutator.change(json: Array(part[..<end])).map { $0 + [10] + tensor }
        } ?? []
    }
    return Self.file(metadata, parts)
  }

  private static func file(_ metadata: JSON, _ parts: [[UInt8]]) -> [UInt8] {
    var members = [JSON.Member("__metadata__", metadata)]
    var data: [UInt8] = []
    for part in parts {
      guard let end = part.firstIndex(of: 10),
        let tensor = (try? JSON(parsing: Array(part[..<end])))?.members?.first
      else { continue }
      let begin = data.count
      data += part[(end + 1)...]
      let offsets = JSON.array([begin, data.count].map { .number(Double($0)) })
      members.append(
        JSON.Member(
          tensor.name, .object((tensor.value.members ?? []) + [JSON.Member("data_offsets", offsets)])))
    }
    let header = Array(JSON.object(members).description.utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header + data
  }
}

/// libFuzzer's hook for changes of its inputs.
@_cdecl("LLVMFuzzerCustomMutator")
public func changeInput(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32)
  -> Int
{
  let input = Array(UnsafeBufferPointer(start: bytes, count: size))
  if let changed = Mutator.shared.change(input, of: Parser.chosen, seed: seed), changed.count <= limit {
    _ = UnsafeMutableBufferPointer(start: bytes, count: changed.count).update(fromContentsOf: changed)
    return changed.count
  }
  return LLVMFuzzerMutate(bytes, size, limit)
}
