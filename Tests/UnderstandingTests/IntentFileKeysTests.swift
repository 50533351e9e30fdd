import TestServers
import Testing
import Understanding

/// The keys in the manual page of the intent file are those that its reader accepts.
@Suite(.limited) struct IntentFileKeysTests {
  /// A file in which `mapping` is the mapping with the keys of a section.
  private static func file(_ title: String, _ mapping: String) -> String? {
    let head = "language: en\nintents: {A: {data: [{sentences: [a]}]}}\n"
    func intent(_ keys: String) -> String {
      "language: en\nintents: {A: {data: [{sentences: [a]}], \(keys)}}\n"
    }
    return switch title {
    case "THE FILE": mapping
    case "INTENTS": "language: en\nintents: {A: \(mapping)}\n"
    case "SENTENCES": "language: en\nintents: {A: {data: [\(mapping)]}}\n"
    case "CONTEXT CONDITIONS":
      "language: en\nintents: {A: {data: [{sentences: [a], requires_context: {b: \(mapping)}}]}}\n"
    case "SLOTS": intent("slots: {s: \(mapping)}")
    case "VOICES": intent("voice: \(mapping)")
    case "CONTEXTS": intent("context: \(mapping)")
    case "OPENED CONTEXTS": intent("context: {sets: \(mapping)}")
    case "LISTS": head + "lists: {l: \(mapping)}\n"
    case "VALUES": head + "lists: {l: {values: [\(mapping)]}}\n"
    case "RANGES": head + "lists: {l: {range: \(mapping)}}\n"
    case "DIALOGUES": head + "dialogue: \(mapping)\n"
    case "WORDS OF DIALOGUES": head + "dialogue: {words: \(mapping)}\n"
    case "REPLIES OF DIALOGUES": head + "dialogue: {replies: \(mapping)}\n"
    case "TRAITS": head + "traits: {t: \(mapping)}\n"
    default: nil
    }
  }

  @Test(arguments: IntentFileKeys.all.map(\.title))
  func everyKeyInTheManualIsAcceptedAndNoOther(_ title: String) throws {
    let keys = try #require(IntentFileKeys.all.first { $0.title == title }).names
    for key in keys {
      let file = try #require(Self.file(title, "{\"\(key)\": 1}"))
      #expect(Fixtures.fault(file)?.contains("unknown key") != true, "\(key)")
    }
    let other = try #require(Self.file(title, "{nonsense: 1}"))
    #expect(Fixtures.fault(other)?.contains("unknown key 'nonsense'") == true)
  }

  @Test func everySectionHasItsKeysOnceWithAMeaning() throws {
    #expect(Set(IntentFileKeys.all.map(\.title)).count == IntentFileKeys.all.count)
    for keys in IntentFileKeys.all {
      #expect(Set(keys.names).count == keys.names.count, "\(keys.title)")
      #expect(keys.keys.allSatisfy { !$0.meaning.isEmpty && !$0.meaning.hasSuffix(".") })
    }
  }
}
