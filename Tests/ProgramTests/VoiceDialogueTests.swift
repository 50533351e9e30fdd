import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// Whose voice answers, where an intent wants a certain one.
@Suite(.limited, .needsProgram, .serialized) struct VoiceDialogueTests {
  private static let safe = """
    language: en
    intents:
      Safe:
        data: [{sentences: ["open the safe"]}]
        confirm: "Really?"
        voice: ann
    responses: {Safe: "The safe is open."}

    """
  private static let room: [Int16] = {
    var random = RandomSource(seed: 7)
    return (0..<AudioFormat.samples(2.5)).map { _ in Int16(random.next() % 41) - 20 }
  }()
  /// The order's words without the hotword.
  private static let words = Array(Recordings.order[AudioFormat.samples(1.45)...])

  /// "computer" by another voice, and the order's words by the same as ever.
  private static let others: [Int16]? = {
    guard let path = try? Flite.say("computer", voice: "rms") else { return nil }
    return (try? AudioFile.read(path)).map { $0 + words }
  }()

  /// The service with ann enrolled, told that ann says "open the safe", then what it makes of the `turns`.
  private func run(_ turns: [[Int16]], heard texts: [String]) throws -> Story {
    let data = Program.temporaryFolder()
    let clips = try EnrollTests.clips().joined(separator: " ")
    let audio = turns.reduce(Recordings.order) { $0 + Self.room + $1 } + Self.room
    let line = """
      export XDG_DATA_HOME=\(data)
      hotword enroll ann --phrase computer \(clips) >\(data)/enrolled 2>&1 || exit 9
      hotword run --events json --input \(try Recordings.wave(audio)) --model computer \
      --intents \(try Program.file("safe.yaml", Array(Self.safe.utf8))) \
      --recognizer \(Program.quoted(try ScriptedRecognizer.hearing(["open the safe"] + texts)))
      """
    let story = try Story(try Program.shell(line, timeout: 120))
    #expect(story.outcome.code == 0, "\(story.outcome.errors)")
    #expect(story.isPaired, "\(story.names)")
    #expect(story.all("wake").first?["speaker"] == "ann")
    return story
  }

  private let asked = ["wake", "listening", "transcript", "intent", "prompt"]
  private let refused = ["listening", "transcript", "error", "intent", "prompt"]
  private let done = ["wake", "listening", "transcript", "intent", "action", "reply", "idle"]

  @Test func aConfirmationWithoutTheHotwordIsAskedForOnceMore() throws {
    let story = try run([Self.words, Recordings.order], heard: ["yes", "yes"])
    let expected = [["ready"], asked, refused, ["listening", "idle"], done].joined()
    #expect(story.names == Array(expected))
    let prompts = story.all("prompt").compactMap { $0["text"]?.string }
    #expect(prompts.first == "Really?")
    #expect(prompts.last == "Please say the hotword first, so that I know your voice. Really?")
    let reason = "Safe needs the voice of ann; the speaker is not identified (no hotword in this turn)"
    #expect(story.all("error").first?["message"]?.string == reason)
    #expect(story.all("error").first?["code"] == 77)
    #expect(story.outcome.errors.contains("refused: \(reason)"))
    #expect(story.all("reply").map { $0["text"] } == ["The safe is open."])
  }

  @Test func anotherVoiceDoesNotConfirm() throws {
    let others = try #require(Self.others, "needs flite; 'make test' installs it")
    let story = try run([others, Recordings.order], heard: ["yes", "yes"])
    #expect(story.all("wake").map { $0["speaker"] } == ["ann", .null, "ann"])
    let expected = [
      ["ready"], asked, ["listening", "idle", "wake"], refused, ["listening", "idle"], done,
    ].joined()
    #expect(story.names == Array(expected))
    #expect(story.all("error").first?["message"]?.string?.hasSuffix("the speaker is not enrolled") == true)
    #expect(story.all("prompt").last?["text"] == "Only ann may ask me for that. Really?")
  }

  @Test func anybodyMayDecline() throws {
    let story = try run([Self.words], heard: ["no"])
    #expect(story.names == ["ready"] + asked + ["listening", "transcript", "intent", "reply", "idle"])
    #expect(story.events.last?["reason"] == "cancelled")
  }
}
