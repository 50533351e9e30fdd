import Platform
import TestServers
import Testing

/// Synthesized speech: the example intent files, said by flite, heard by PocketSphinx, understood turn by turn; and single words.
@Suite(.limited(minutes: 10), .needsProgram, .serialized) struct ExampleSpeechTests {
  private static let conversations = [
    "grocery": [
      "I think I want something to eat, maybe some meat", "I don't need chicken anymore",
      "I want to buy cheese, but I already have potatoes", "add milk and eggs to my shopping list",
      "take the butter off the list", "what is on my shopping list",
    ],
    "ride": [
      "book me a car to the airport", "the limo", "from home", "no, from the hotel", "yes please",
      "where is my ride", "I need a taxi from the station to the museum", "never mind",
    ],
    "order": [
      "a large salami with olives and ham please", "yes please", "the same as before but without olives",
      "yes please", "another one with extra cheese", "yes please", "how are you",
    ],
  ]

  private static let hasVoices =
    Flite.isThere
    && Files.exists("/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict")

  /// What the program answers to the turns: status, intent and the slots' values.
  private func answers(_ texts: [String], _ file: String) throws -> [String] {
    let outcome = try Program.run(
      ["understand", "--intents", file, "--dialogue", "-"],
      input: Array(texts.map { "\($0)\n" }.joined().utf8))
    return try outcome.objects.map { line in
      let slots = (line["slots"]?.members ?? []).map { "\($0.name)=\($0.value["value"] ?? .null)" }.sorted()
      return ([line["status"]?.string ?? "", line["intent"]?["name"]?.string ?? ""] + slots)
        .joined(separator: " ")
    }
  }

  @Test(
    .enabled(if: hasVoices, "needs flite and pocketsphinx-en-us; 'make test' installs them"),
    arguments: [("grocery", ["slt", "rms"]), ("ride", ["slt", "rms"]), ("order", ["slt"])])
  func whatIsSaidIsUnderstoodAsWhatIsTyped(_ name: String, by voices: [String]) throws {
    let texts = try #require(Self.conversations[name])
    let file = "Examples/\(name).yaml"
    let typed = try answers(texts, file)
    var right = 0
    var wrong: [String] = []
    for voice in voices {
      let clips = try texts.map { try Flite.say($0, voice: voice) }
      let heard = try Program.run(
        ["transcribe", "--recognizer", "pocketsphinx", "--intents", file] + clips, timeout: 240
      ).objects
        .map { $0["text"]?.string ?? "" }
      for (index, answer) in try answers(heard, file).enumerated() {
        if answer == typed[index] {
          right += 1
        } else {
          wrong.append("\(voice): \(texts[index]) → \(heard[index]) → \(answer)")
        }
      }
    }
    print("\(name): \(right) of \(voices.count * texts.count) turns as typed")
    #expect(Double(right) >= 0.9 * Double(voices.count * texts.count), "\(wrong.joined(separator: "\n"))")
  }

  @Test(.enabled(if: hasVoices, "needs flite and pocketsphinx-en-us; 'make test' installs them"))
  func offIsNotHeardAsOn() throws {
    let file = "\(Program.temporaryFolder())/intents.yaml"
    let intents = """
      language: en
      intents:
        TurnOn: {data: [{sentences: ["switch on the {thing}"]}]}
        TurnOff: {data: [{sentences: ["switch off the {thing}"]}]}
      lists:
        thing: {values: [tv, bed light, kitchen lights]}
      """
    try Files.write(Array(intents.utf8), to: file)
    let texts = ["tv", "bed light", "kitchen lights"].flatMap {
      ["switch on the \($0)", "switch off the \($0)"]
    }
    let clips = try texts.map { try Flite.say($0, voice: "rms") }
    let heard = try Program.run(["transcribe", "--recognizer", "builtin", "--intents", file] + clips)
    #expect(try heard.objects.map { $0["text"]?.string } == texts)
  }
}
