import Clips
import Configuration
import Platform

/// The clips that `run --keep` stored: list, play, label and delete.
struct ClipOperations {
  /// The most clips in one answer, and the number where none is requested.
  static let mostClips = 200
  static let standardCount = 50

  let store: ClipStore
  /// The names of the enrolled voices.
  private let voices: @Sendable () throws -> [String]

  init(_ settings: ServiceSettings, voices: @escaping @Sendable () throws -> [String]) {
    self.voices = voices
    store = settings.keep.map(ClipStore.init(folder:)) ?? .standard()
  }

  /// Clips that match the query, the newest first, with the numbers of all.
  ///
  /// - Parameter query: `label` (`none`, or a label), `kind`, `keyword`, `voice`, `count`, and `before`, the name of the last clip of the
  ///   answer before.
  func list(_ query: [String: String]) throws(WebFault) -> JSON {
    let all = try entries()
    let heard = try WebOperations.run { try store.voicesOfClips() }
    var matching = try filter(all, query)
    if let voice = query["voice"] { matching.removeAll { heard[$0.clip.fileName] != voice } }
    var rest = matching[...]
    if let before = query["before"] {
      guard let last = Clip(fileName: before) else {
        throw .badField("before", expected: "the name of a clip")
      }
      rest = matching.drop { ($0.clip.time, $0.clip.fileName) >= (last.time, before) }
    }
    let count = try number(query["count"])
    let shown = rest.prefix(count)
    let labels = ["none"] + Label.allCases.map(\.rawValue)
    let numbers = Dictionary(grouping: all) { $0.label?.rawValue ?? "none" }.mapValues(\.count)
    return [
      "folder": .string(store.folder), "total": .number(Double(matching.count)),
      "counts": .object(labels.map { JSON.Member($0, .number(Double(numbers[$0] ?? 0))) }),
      "keywords": .array(Set(all.map(\.clip.keyword)).sorted().map { .string($0) }),
      "voices": .array(
        Set(try WebOperations.run(voices)).union(heard.values).sorted().map { .string($0) }),
      "clips": .array(shown.map { Self.json($0, heard[$0.clip.fileName]) }),
      "next": shown.count < rest.count ? shown.last.map { .string($0.clip.fileName) } ?? .null : .null,
    ]
  }

  /// The WAV file of a clip.
  func audio(_ name: String) throws(WebFault) -> [UInt8] {
    let entry = try entry(name)
    return try WebOperations.run { try Files.read(entry.path, limit: 16 << 20) }
  }

  /// Gives a clip the label in the body, or takes it back where that is null; and the voice in the body, if there is one.
  func label(_ name: String, _ body: JSONBody) throws(WebFault) -> JSON {
    var entry = try entry(name)
    let voice = try self.voice(body)
    let label = body["label"]?.string.flatMap(Label.init(rawValue:))
    guard label != nil || body["label"] == .null else {
      let labels = Label.allCases.map(\.rawValue).joined(separator: ", ")
      throw .badField("label", expected: "one of \(labels), or null")
    }
    if case .some(.some) = voice, label != .wake, label != .missed {
      throw .fault(ClipFault.notTheWord(file: name))
    }
    try WebOperations.run {
      if let label { try store.label(entry, label) } else { try store.unlabel(entry) }
    }
    entry = try self.entry(name)
    if let voice { try WebOperations.run { try store.setVoice(voice, of: entry) } }
    return Self.json(entry, store.voice(of: entry.clip))
  }

  /// The voice in a body: nil for no change, and a nil in it for nobody's.
  private func voice(_ body: JSONBody) throws(WebFault) -> String?? {
    switch body["voice"] {
    case nil: return nil
    case .null: return .some(nil)
    case .string(let name):
      guard try WebOperations.run(voices).contains(name) else { fallthrough }
      return name
    default: throw .badField("voice", expected: "the name of an enrolled voice, or null")
    }
  }

  func delete(_ name: String) throws(WebFault) -> JSON {
    let entry = try entry(name)
    try WebOperations.run { try store.delete(entry) }
    return ["deleted": .string(name)]
  }

  /// All clips, the newest first; none if nothing has been kept yet.
  private func entries() throws(WebFault) -> [ClipStore.Entry] {
    do throws(ClipFault) {
      return try store.all().reversed()
    } catch .noFolder {
      return []
    } catch {
      throw .fault(error)
    }
  }

  private func filter(
    _ entries: [ClipStore.Entry], _ query: [String: String]
  ) throws(WebFault) -> [ClipStore.Entry] {
    var entries = entries
    if let text = query["label"] {
      let label = Label(rawValue: text)
      guard label != nil || text == "none" else {
        throw .badField("label", expected: "none or a label")
      }
      entries.removeAll { $0.label != label }
    }
    if let text = query["kind"] {
      guard let kind = Clip.Kind(rawValue: text) else {
        throw .badField("kind", expected: Clip.Kind.allCases.map(\.rawValue).joined(separator: " or "))
      }
      entries.removeAll { $0.clip.kind != kind }
    }
    if let keyword = query["keyword"] { entries.removeAll { $0.clip.keyword != keyword } }
    return entries
  }

  private func number(_ text: String?) throws(WebFault) -> Int {
    guard let text else { return Self.standardCount }
    guard let number = Int(text), (1...Self.mostClips).contains(number) else {
      throw .badField("count", expected: "a number from 1 to \(Self.mostClips)")
    }
    return number
  }

  private func entry(_ name: String) throws(WebFault) -> ClipStore.Entry {
    guard let entry = store.entry(fileName: name) else { throw .noClip(name) }
    return entry
  }

  private static func json(_ entry: ClipStore.Entry, _ voice: String?) -> JSON {
    [
      "name": .string(entry.clip.fileName), "time": .string(entry.clip.time.iso),
      "keyword": .string(entry.clip.keyword), "kind": .string(entry.clip.kind.rawValue),
      "score": .number(entry.clip.score), "label": entry.label.map { .string($0.rawValue) } ?? .null,
      "voice": voice.map { .string($0) } ?? .null,
      "bytes": .number(Double(entry.size)),
    ]
  }
}
