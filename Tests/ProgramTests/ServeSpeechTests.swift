import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// Speech to text and intents of the server with the client that Home Assistant uses.
@Suite(.limited, .needsProgram, .serialized, .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
struct ServeSpeechTests {
  private static let start: JSON = ["send", "audio-start", ["rate": 16_000, "width": 2, "channels": 1]]
  private static let stop: JSON = ["send", "audio-stop"]
  private static let transcribe: JSON = ["send", "transcribe", ["language": "en"]]

  /// "turn on the kitchen light", and room noise after it.
  private static func order() throws -> JSON {
    .string(
      try Recordings.wave(Array(Recordings.repeated(2)[AudioFormat.samples(1.45)..<AudioFormat.samples(6.5)]))
    )
  }

  private static func sentence(_ text: String) -> JSON {
    ["send", "transcript", ["text": .string(text), "context": ["conversation_id": "a"]]]
  }

  @Test(arguments: ["builtin", "combined"])
  func anOrderIsATranscriptBeforeTheAudioEnds(_ recognizer: String) throws {
    let server = try WakeServer(["--recognizer", recognizer])
    let path = try Self.order()
    let events = try server.events([
      Self.transcribe, Self.start, ["wav", path, 160], ["until", "transcript"],
      // What is left of the audio belongs to nothing, and the next utterance is another.
      Self.stop, Self.transcribe, Self.start, ["wav", path, 1_000], ["until", "transcript"],
    ])
    #expect(events.map { $0["type"] } == ["transcript", "transcript"])
    #expect(events.allSatisfy { $0["text"] == "turn on the kitchen light" && $0["language"] == "en" })
  }

  @Test func audioThatStopsIsRecognizedAndSilenceIsAnEmptyText() throws {
    let server = try WakeServer(["--recognizer", "builtin"])
    let order = JSON.string(try Recordings.wave(Array(Recordings.order[23_200..<54_400])))
    let silence = JSON.string(try Recordings.wave([Int16](repeating: 3, count: 96_000)))
    let events = try server.events([
      Self.transcribe, Self.start, ["wav", order, 160], Self.stop, ["until", "transcript"],
      Self.transcribe, Self.start, ["wav", silence, 160], ["until", "transcript"],
    ])
    #expect(events.map { $0["text"] } == ["turn on the kitchen light", ""])
  }

  @Test func anotherLanguageIsAnError() throws {
    let server = try WakeServer()
    let events = try server.events([
      ["send", "transcribe", ["language": "de"]], Self.start, ["until", "error"],
    ])
    #expect(events.first?["text"]?.string?.contains("'de' is not offered; request 'en'") == true)
  }

  @Test func sentencesAreIntentsQuestionsAndReplies() throws {
    let server = try WakeServer()
    let events = try server.events([
      Self.sentence("turn on the kitchen light"), ["until", "intent"],
      Self.sentence("set a timer"), ["until", "handled"], Self.sentence("five minutes"), ["until", "intent"],
      Self.sentence("what time is it"), ["until", "handled"],
      Self.sentence("colourless green ideas"), ["until", "not-recognized"],
    ])
    #expect(events.map { $0["type"] } == ["intent", "handled", "intent", "handled", "not-recognized"])
    #expect(events[0]["entities"]?.array?.contains(["name": "area", "value": "kitchen"]) == true)
    #expect(events[1]["text"]?.string?.hasSuffix("?") == true)
    #expect(events[2]["entities"] == [["name": "duration", "value": 300]])
    #expect(events[3]["text"]?.string?.hasPrefix("It is ") == true)
  }

  @Test func anIntentForOneVoiceNeedsTheHotwordByThatVoice() throws {
    let data = Program.temporaryFolder()
    let file = "\(data)/intents.yaml"
    let intents = """
      language: en
      intents: {Light: {voice: ann, data: [{sentences: ["turn on the kitchen light"]}]}}
      """
    try Files.write(Array(intents.utf8), to: file)
    let hotword = JSON.string(try Recordings.wave(Array(Recordings.order.prefix(AudioFormat.samples(2)))))
    let order = try Self.order()
    let wake: [JSON] = [
      ["send", "detect", ["names": ["computer"]]], Self.start, ["wav", hotword, 512], ["until", "detection"],
    ]
    let speech: [JSON] = [Self.transcribe, Self.start, ["wav", order, 160], ["until", "transcript"]]
    let sentence = Self.sentence("turn on the kitchen light")
    /// The events after the last transcript.
    func answers(_ steps: [JSON]) throws -> [JSON?] {
      let server = try WakeServer(
        ["--intents", file, "--recognizer", "builtin"], environment: "XDG_DATA_HOME=\(data)")
      let events = try server.events(steps)
      return events.filter { !["transcript", "detection"].contains($0["type"]) }.map { $0["type"] }
    }
    let refused: [JSON] = [sentence, ["until", "not-handled"]]
    try EnrollTests.enroll("bob", EnrollTests.otherClips(), in: data)
    #expect(try answers(wake + speech + refused) == ["not-handled"])
    try EnrollTests.enroll("ann", EnrollTests.clips(), in: data)
    #expect(try answers(wake + speech + [sentence, ["until", "intent"]]) == ["intent"])
    #expect(try answers(speech + refused) == ["not-handled"], "without the hotword")
    #expect(try answers(wake + refused) == ["not-handled"], "without speech")
  }

  @Test(.enabled(if: Flite.isThere, "needs flite"))
  func anOrderByAnotherVoiceThanTheHotwordIsRefused() throws {
    let data = Program.temporaryFolder()
    try EnrollTests.enroll("ann", EnrollTests.spokenClips("slt"), in: data)
    let server = try WakeServer(
      ["--model", "computer", "--only-voices", "--recognizer", "builtin"],
      environment: "XDG_DATA_HOME=\(data)")
    let quiet = (0..<AudioFormat.samples(3)).map { Int16($0 * 7 % 9) - 4 }
    func wave(_ text: String, _ voice: String) throws -> JSON {
      .string(try Recordings.wave(quiet + AudioFile.read(Flite.say(text, voice: voice)) + quiet))
    }
    func steps(order voice: String, until end: JSON) throws -> [JSON] {
      try [
        ["send", "detect", ["names": ["computer"]]], Self.start, ["wav", wave("computer,", "slt"), 512],
        ["until", "detection"], Self.transcribe, Self.start,
        ["wav", wave("set a timer for five minutes.", voice), 160], ["until", end],
      ]
    }
    let events = try server.events(
      steps(order: "slt", until: "transcript") + steps(order: "awb", until: "error"))
    #expect(events.first { $0["type"] == "transcript" }?["text"] == "set a timer for five minutes")
    #expect(events.last?["code"] == "voice-not-enrolled")
  }

  @Test func aHandlerCarriesOut() throws {
    let server = try WakeServer([
      "--handler", "command:cat >/dev/null; echo '{\"reply\": \"The light is on.\"}'",
    ])
    let events = try server.events([Self.sentence("turn on the kitchen light"), ["until", "handled"]])
    #expect(events.first?["text"] == "The light is on.")
  }

  @Test func hotwordsAloneOfferNothingElse() throws {
    let server = try WakeServer(["--wake-only"])
    let events = try server.events([
      ["send", "describe"], ["until", "info"], Self.transcribe, ["until", "error"],
      Self.sentence("turn on the kitchen light"),
      ["until", "error"],
    ])
    #expect(events[0]["asr"] == [] && events[0]["intent"] == [] && events[0]["wake"]?.array?.count == 1)
    #expect(events[1]["text"] == "speech to text is not offered here")
  }

  @Test func sentencesInALanguageWithoutARecognizerAreUnderstoodAsText() throws {
    let file = Program.temporaryFolder() + "/de.yaml"
    let text = "language: de\nintents: {LichtAn: {data: [{sentences: [\"schalte [das] Licht an\"]}]}}\n"
    try Files.write(Array(text.utf8), to: file)
    let server = try WakeServer(["--intents", file])
    #expect(server.messages.contains("no speech to text: the language of the intent file is 'de'"))
    let events = try server.events([
      ["send", "describe"], ["until", "info"], Self.sentence("schalte das Licht an"), ["until", "intent"],
      Self.transcribe, ["until", "error"],
    ])
    #expect(events[0]["asr"] == [] && events[0]["intent"]?.array?.count == 1)
    #expect(events[1]["name"] == "LichtAn")
    #expect(events[2]["text"] == "speech to text is not offered here")
  }

  @Test func wrongOptionsAreFaultsBeforeAnythingListens() throws {
    for (words, code, text) in [
      (["--recognizer", "whisperer"], 78, "unknown recognizer 'whisperer'"),
      (["--handler", "speak"], 78, "unknown handler 'speak'"),
      (["--intents", "/nowhere.yaml"], 66, "/nowhere.yaml"),
    ] {
      let outcome = try Program.run(["serve", "--uri", "tcp://127.0.0.1:0"] + words)
      #expect(outcome.code == code && outcome.errors.contains(text), "\(outcome.errors)")
    }
  }
}
