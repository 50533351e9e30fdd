import Platform
import TestServers
import Testing

/// A whole conversation by voice: called, ordered, asked, answered, confirmed, done and told, all aloud in one room.
@Suite(
  .limited, .needsProgram, .serialized, .enabled(if: Room.isThere, "no pulseaudio to play and hear with"),
  .enabled(
    if: Flite.isThere
      && Files.exists("/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict"),
    "needs flite and pocketsphinx-en-us; 'make test' installs them"))
struct SpokenDialogueTests {
  /// Seconds by which the stretches of speech may seem too long.
  private static let block = 0.1

  @Test func aRideIsBookedByVoice() throws {
    let event = "\(Program.temporaryFolder())/event.json"
    let sounds = [
      Room.Sound(path: try Flite.say("computer, I need a taxi to the airport"), delay: 1, moment: .start),
      Room.Sound(path: try Flite.say("from the hotel"), delay: 0.4, moment: .event("listening", number: 2)),
      Room.Sound(path: try Flite.say("yes please"), delay: 0.4, moment: .event("listening", number: 3)),
    ]
    let visit = try Room().run(
      [
        "--model", "computer", "--recognizer", "builtin", "--intents", "Examples/ride.yaml", "--speak",
        "espeak:en-gb",
        "--handler", "command:cat >\(event); echo Your taxi has number seven.",
      ], sounds: sounds, last: ("idle", 1))
    let story = visit.story
    #expect(story.outcome.code == 0 && story.outcome.faults.isEmpty, "\(story.outcome.errors)")
    let turn = ["listening", "transcript", "intent"]
    let expected = [
      ["ready", "wake"], turn, ["prompt"], turn, ["prompt"], turn, ["action", "reply", "idle"],
    ].joined()
    #expect(story.names == Array(expected), "\(story.events)")
    #expect(
      story.all("prompt").compactMap { $0["text"]?.string }
        == ["Where shall we pick you up?", "A taxi from the hotel to the airport, right?"])
    #expect(
      story.all("intent").compactMap { $0["status"]?.string } == ["needsValue", "needsConfirmation", "ready"])
    #expect(story.all("reply").map { $0["text"] } == ["Your taxi has number seven."])
    let done = try JSON(parsing: try Files.read(event), what: "the event")
    #expect(done["intent"]?["name"] == "BookRide" && done["keyword"] == "computer")
    #expect(
      ["kind", "from", "to"].map { done["slots"]?[$0]?["value"]?.string } == [
        "taxi", "the hotel", "the airport",
      ])
    // Both questions and the reply are heard, and each question is out before it listens.
    #expect(visit.speeches.count == 3, "\(visit.speeches)")
    let asked = story.all("prompt").compactMap { $0["time"]?.number }
    let listened = story.all("listening").dropFirst().compactMap { $0["time"]?.number }
    for (index, (asked, listened)) in zip(asked, listened).enumerated() {
      let speech = visit.speeches[index]
      #expect(listened - asked > speech.upperBound - speech.lowerBound - Self.block)
    }
  }
}
