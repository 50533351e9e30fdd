import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// Somebody calls while the assistant speaks.
@Suite(
  .limited, .needsProgram, .serialized, .enabled(if: Room.isThere, "no pulseaudio to play and hear with"))
struct BargeInTests {
  /// So sensitive that the reply of the voice would wake it: see the first test.
  private static let model = "computer:0.85"
  /// A reply that holds the hotword so that it would wake: see the first test.
  private static let computers =
    "The computer says that the computer in the kitchen is a computer, and that is all about computers. Computer."
  /// One that holds it in its beginning, and is long.
  private static let weather = """
    The computer says that the weather will be fine in the whole of the country, with a little wind from the west, and \
    some clouds towards the evening, when it may rain a little near the coast and in the hills behind it.
    """
  /// Seconds from the hotword's end within which the speech must end.
  private static let patience = 1.0

  /// The service, told to turn on the lights and answering with `reply`, where others call in the midst of it.
  private func visit(
    _ reply: String, in room: Room = Room(), calls: [Room.Sound], last: (String, Int), limit: Double = 60
  ) throws -> Room.Visit {
    let act = try Program.file("reply", Array(reply.utf8))
    let order = Room.Sound(path: try Recordings.wave(Recordings.order), delay: 1, moment: .start)
    let visit = try room.run(
      [
        "--model", Self.model, "--speak", "espeak:en-gb", "--recognizer",
        "command:cat >/dev/null; echo lights on",
        "--handler", "command:cat \(act)",
      ], sounds: [order] + calls, last: last, limit: limit)
    #expect(visit.story.outcome.code == 0, "\(visit.story.outcome.errors)")
    #expect(visit.story.all("error").isEmpty)
    return visit
  }

  /// Where the hotword lies in a recording, in seconds.
  private func word(_ path: String) throws -> ClosedRange<Double> {
    let hit = try #require(try Program.run(["detect", "--model", "computer", path]).objects.first)
    return try #require(hit["start"]?.number)...#require(hit["end"]?.number)
  }

  @Test(
    .enabled(
      if: (try? Program.shell("command -v espeak-ng").code) == 0, "no espeak-ng to speak the reply with"))
  func theReplysOwnWordsWouldWakeIt() throws {
    let path = "\(Program.temporaryFolder())/reply.wav"
    let line =
      "espeak-ng -v en-gb -w \(path) \(Program.quoted(Self.computers)) && hotword detect --model \(Self.model) \(path)"
    #expect(try Program.shell(line).lines.isEmpty == false)
  }

  @Test(arguments: [100, 50]) func theReplysOwnWordsWakeNothing(_ echo: Int) throws {
    // Nobody calls: a second reply never comes.
    let visit = try visit(Self.computers, in: Room(echo: echo), calls: [], last: ("reply", 2), limit: 14)
    #expect(visit.story.all("wake").count == 1 && visit.story.all("reply").count == 1)
    let longest = visit.speeches.map { $0.upperBound - $0.lowerBound }.max() ?? 0
    #expect(longest > 5, "the whole reply is heard: \(visit.speeches)")
  }

  @Test(arguments: People.callers) func somebodysHotwordEndsTheReply(_ caller: String) throws {
    let call = try People.loud(caller)
    let word = try word(call)
    let visit = try visit(
      Self.weather, calls: [Room.Sound(path: call, delay: 2, moment: .event("reply"))], last: ("wake", 2))
    try #require(visit.story.all("wake").count == 2, "not heard: \(visit.story.names)")
    let called = try #require(visit.began[1]) + word.upperBound
    let reply = try #require(visit.speeches.first)
    #expect(reply.lowerBound < called - 2, "it was speaking: \(visit.speeches)")
    #expect(reply.upperBound < called + Self.patience, "\(visit.speeches), called at \(called)")
    print("the reply ended \(JSON.rounded(reply.upperBound - called)) s after the hotword")
  }
}

/// Recordings of people who say the hotword.
private enum People {
  private static let folder = "\(Program.root)/../shared/audio/keywords/computer"
  /// Three of them; where they are not there, the example's synthetic voice.
  static let callers: [String] = {
    let names = [
      "4e0f19f4-6db9-49d9-9717-0221982d0999", "d9ada74b-43b5-435a-841d-afff3830930d",
      "31239d5a-3b73-49aa-a797-a33de5d0bdf4",
    ]
    let paths = names.map { "\(folder)/\($0).opus" }.filter { Files.exists($0) }
    return paths.isEmpty ? [Program.recording] : paths
  }()

  /// The recording's first three seconds at 8 dB below full scale, as a WAV file.
  static func loud(_ path: String) throws -> String {
    let samples = try AudioFile.read(path).prefix(AudioFormat.samples(3))
    let highest = samples.map { abs(Int($0)) }.max() ?? 1
    return try Recordings.wave(samples.map { Int16(Int($0) * 13_000 / max(1, highest)) })
  }
}
