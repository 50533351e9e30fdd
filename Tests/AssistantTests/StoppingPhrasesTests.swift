import Assistant
import TestServers
import Testing

@Suite(.limited) struct StoppingPhrasesTests {
  @Test(arguments: [
    ("add milk I'm done", true), ("I’m done.", true), ("add milk, cancel!", true),
    ("cancel the timer", false),
    ("I'm donely", false), ("done", false), ("", false),
  ])
  func standAtTheEnd(_ text: String, _ ends: Bool) {
    #expect(StoppingPhrases().end(text) == ends)
  }

  @Test(arguments: [
    ("Add milk, I'm done.", "Add milk,"), ("add milk", "add milk"), ("I'm done", "I'm done"),
    ("add milk cancel", "add milk cancel"), ("", ""), ("add - milk I'm done", "add - milk"),
  ])
  func areTakenFromWhatTheyEnd(_ text: String, _ left: String) {
    #expect(StoppingPhrases().stripped(text) == left)
  }

  @Test func noPhrasesEndNothing() {
    let none = StoppingPhrases(done: [], cancel: ["…"])
    #expect(!none.end("I'm done") && !none.end("") && none.stripped("I'm done") == "I'm done")
  }
}
