import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// The service from the wake to the reply, and past whatever fails on the way.
@Suite(.limited, .needsProgram, .serialized) struct RunTests {
  private func run(_ words: [String], settings: String? = nil) throws -> Story {
    var words = ["run", "--events", "json"] + words
    if let settings { words += ["--config", try Program.file("hotword.yaml", Array(settings.utf8))] }
    let story = try Story(try Program.run(words))
    #expect(story.outcome.code == 0, "\(story.outcome.errors)")
    #expect(story.outcome.errors.isEmpty)
    #expect(story.isPaired, "\(story.names)")
    let times = story.events.compactMap { $0["time"]?.number }
    #expect(times == times.sorted() && times.count == story.events.count)
    return story
  }

  @Test func theExampleGoesFromWakeToReply() throws {
    let story = try run(["--input", Program.recording])
    let cycle = ["wake", "listening", "transcript", "intent", "action", "reply", "idle"]
    let timer = ["wake", "listening", "transcript", "intent", "action", "action", "reply", "idle"]
    #expect(story.names == ["ready"] + cycle + timer)
    #expect(story.all("action").compactMap { $0["action"] } == [["type": "timer_set", "time": 300]])
    #expect(story.all("transcript").first?["text"]?.string == "turn on the kitchen light")
    #expect(story.all("intent").first?["slots"]?["area"]?["value"]?.string == "kitchen")
    #expect(story.all("reply").first?["text"]?.string == "Turned on the kitchen light.")
    #expect(story.all("transcript").last?["text"]?.string == "set a timer for five minutes")
    let wake = try #require(story.all("wake").first)
    #expect((wake["time"]?.number ?? 9) - 1.40 < 0.25)
    // What was said lies where it was said: nothing lost, nothing twice.
    let words = story.all("transcript").first?["segments"]?.array ?? []
    #expect(abs((words.last?["end"]?.number ?? 0) - 2.82) < 0.25)
  }

  @Test func aPacedFileHearsTheSame() throws {
    let path = try Recordings.wave(Recordings.order)
    let whole = try run(["--input", path])
    let paced = try run(["--input", path, "--pace"])
    #expect(paced.all("wake") == whole.all("wake"))
    #expect(paced.all("transcript").map { $0["text"] } == whole.all("transcript").map { $0["text"] })
  }

  @Test func aSlowRecognizerCostsTimeAndNoCommand() throws {
    // The second hotword comes while the first command is being recognized.
    let story = try run([
      "--input", Program.recording, "--pace", "--recognizer",
      "command:sleep 4; echo turn on the kitchen light",
    ])
    let cycle = ["wake", "listening", "transcript", "intent", "action", "reply", "idle"]
    #expect(story.names == ["ready"] + cycle + cycle)
  }

  @Test func aStopSignalEndsItWhileNothingReadsItsOutput() throws {
    let outcome = try Program.shell(
      """
      full=\(Program.temporaryFolder())/full; mkfifo $full; exec 3<>$full; head -c 65536 /dev/zero >&3
      hotword run --input \(Program.recording) --pace --events json >$full & pid=$!
      sleep 1; kill -TERM $pid
      for wait in $(seq 25); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
      kill -KILL $pid 2>/dev/null && echo late; wait $pid; echo $?
      """)
    #expect(outcome.output == "0\n", "\(outcome.errors)")
  }

  @Test func textTellsTheSameInWords() throws {
    let outcome = try Program.run(["run", "--input", Program.recording])
    #expect(outcome.code == 0)
    for part in ["wake        computer", "heard       turn on the kitchen light", "area=kitchen"] {
      #expect(outcome.output.contains(part), "\(outcome.output)")
    }
  }

  @Test(
    arguments: [
      ("sleep 60", "no transcript within 1"), ("kill -9 $$", "signal 9"),
      ("echo broken >&2; exit 3", "broken"),
      ("/nonexistent/recognizer", "nonexistent"),
    ])
  func aRecognizerThatFailsIsToldAndTheNextWakeHeard(_ command: String, _ reason: String) throws {
    let settings = "recognizer: 'command:\(command)'\nrecognizer-timeout: 1\nintents: \(try Self.german())\n"
    let story = try run(["--input", try Recordings.twoOrders()], settings: settings)
    let failed = ["wake", "listening", "error", "reply", "idle"]
    #expect(story.names == ["ready"] + failed + failed)
    #expect(story.all("reply").allSatisfy { $0["text"] == "Sorry, that did not work." })
    #expect(story.all("error").allSatisfy { $0["message"]?.string?.contains(reason) ?? false })
    #expect(story.all("error").allSatisfy { ($0["code"]?.number ?? 0) >= 64 })
    #expect(story.all("idle").allSatisfy { $0["reason"]?.string == "failed" })
  }

  /// Intents that PocketSphinx cannot hear, so that it stands in for nothing.
  private static func german() throws -> String {
    let intents = "language: de\nintents: {Licht: {data: [{sentences: [Licht an]}]}}\n"
    return try Program.file("licht.yaml", Array(intents.utf8))
  }

  @Test func pocketSphinxStandsInForACommandThatFails() throws {
    let words = ["--input", try Recordings.twoOrders(), "--recognizer", "command:echo broken >&2; exit 3"]
    let story = try run(words)
    let turn = ["transcript", "intent", "action", "reply", "idle"]
    #expect(story.names == ["ready", "wake", "listening", "error"] + turn + ["wake", "listening"] + turn)
    #expect(story.all("error").first?["message"]?.string?.contains("broken") == true)
  }

  @Test func aLiveRecognizerThatHangsIsGivenUpByItsTime() throws {
    let settings = "recognizer: 'command:sleep 60'\nrecognizer-timeout: 1\nintents: \(try Self.german())\n"
    let story = try run(["--input", try Recordings.twoOrders(), "--pace"], settings: settings)
    #expect(story.names.filter { $0 == "error" }.count == 2)
    let error = try #require(story.all("error").first?["time"]?.number)
    #expect(error < 6, "the second wake comes at 8")
  }

  @Test func speechInWhichTheRecognizerFindsNoWordsIsAnswered() throws {
    let story = try run(["--input", try Recordings.twoOrders(), "--recognizer", "command:true"])
    let turn = ["wake", "listening", "transcript", "intent", "reply", "idle"]
    #expect(story.names == ["ready"] + turn + turn)
    #expect(story.all("reply").allSatisfy { $0["text"] == "Sorry, I did not understand." })
    #expect(story.all("idle").allSatisfy { $0["reason"] == "notUnderstood" })
  }

  /// No answer can come any more.
  @Test func aQuestionAfterTheEndOfTheAudioEndsTheConversation() throws {
    let story = try run([
      "--input", try Recordings.wave(Array(Recordings.order.prefix(AudioFormat.samples(2.9)))),
      "--recognizer", "command:echo set a timer",
    ])
    #expect(story.names == ["ready", "wake", "listening", "transcript", "intent", "prompt", "idle"])
    #expect(story.all("idle").first?["reason"] == "streamEnded")
  }

  @Test func afterAHandlerThatFailedTheNextIsAsked() throws {
    let story = try run([
      "--input", try Recordings.wave(Recordings.order), "--recognizer", "command:echo lights on",
      "--handler", "mqtt://127.0.0.1:1", "--handler", "command:exit 4", "--handler", "command:echo done",
    ])
    let turn = ["wake", "listening", "transcript", "intent", "error", "error", "action", "reply", "idle"]
    #expect(story.names == ["ready"] + turn)
    #expect(story.all("reply").first?["text"] == "done")
    #expect(story.all("idle").first?["reason"] == "done")
  }

  @Test func whatAHandlerPrintsReachesTheTerminalAsWords() throws {
    let outcome = try Program.run([
      "run", "--input", try Recordings.wave(Recordings.order), "--recognizer", "command:echo lights on",
      "--handler", #"command:printf 'no \033[2Jlamp\n' >&2; exit 1"#,
      "--handler", #"command:printf 'a\033[2Jb\nline2'"#,
    ])
    #expect(outcome.output.contains("status 1: no [2Jlamp\n"), "\(outcome.output)")
    #expect(outcome.output.contains("reply       a [2Jb line2\n"), "\(outcome.output)")
  }

  @Test(arguments: [("sleep 60", "1 s"), ("echo broken >&2; exit 3", "broken")])
  func aHandlerThatFailsIsToldAndTheNextWakeHeard(_ command: String, _ reason: String) throws {
    let settings = "handlers: ['command:\(command)']\nhandler-timeout: 1\n"
    let words = ["--input", try Recordings.twoOrders(), "--recognizer", "command:echo lights on"]
    let story = try run(words, settings: settings)
    let failed = ["wake", "listening", "transcript", "intent", "error", "reply", "idle"]
    #expect(story.names == ["ready"] + failed + failed)
    #expect(story.all("reply").allSatisfy { $0["text"] == "Sorry, that did not work." })
    #expect(story.all("error").allSatisfy { $0["message"]?.string?.contains(reason) ?? false })
  }

  @Test func plugInsGetTheAudioAndTheIntent() throws {
    let folder = Program.temporaryFolder()
    let words = [
      "--input", try Recordings.wave(Recordings.order),
      "--recognizer", "command:cat >\(folder)/heard.wav; echo lights on in the kitchen",
      "--handler", "command:cat >\(folder)/event.json; echo so be it",
    ]
    let story = try run(words)
    #expect(story.all("reply").first?["text"]?.string == "so be it")
    let event = try JSON(parsing: try Files.read("\(folder)/event.json"), what: "the event")
    #expect(event["intent"]?["name"]?.string == "TurnOn")
    #expect(event["keyword"]?.string == "computer")
    // The audio begins at the hotword's end, or after what is left of its sound, sample for sample.
    let heard = try AudioFile.read("\(folder)/heard.wav")
    let end = AudioFormat.samples(try #require(story.all("wake").first?["end"]?.number))
    #expect(!heard.isEmpty)
    let starts = (0...6).map { end + $0 * AudioFormat.samples(0.02) }
    #expect(starts.contains { heard.elementsEqual(Recordings.order[$0...].prefix(heard.count)) })
  }

  @Test func actionsAreToldAndTimersRing() throws {
    // Only the first order is answered so.
    let script = #"""
      grep -q '"time":[0-3]' || exit 0
      echo '{"reply":"Set.","actions":[{"type":"timer_set","time":2,"name":"egg"},{"type":"beam","to":["x"]}]}'
      """#
    let act = try Program.file("act", Array(script.utf8))
    let folder = Program.temporaryFolder()
    let devices = """
      pcm.nothing { type null }
      pcm.out { type file slave.pcm nothing file "\(folder)/out.raw" format raw }
      """
    let configuration = try Program.file("asound.conf", Array(devices.utf8))
    let line = """
      ALSA_CONFIG_PATH=\(configuration) hotword run --input \(try Recordings.twoOrders()) --events json \
      --player alsa:out --recognizer 'command:echo lights on' \
      --handler 'command:sh \(act)'
      """
    let story = try Story(try Program.shell(line))
    #expect(story.outcome.code == 0, "\(story.outcome.errors)")
    #expect(story.isPaired)
    let told = story.all("action").filter { $0["action"] != nil }
    let types = told.compactMap { $0["action"]?["type"]?.string }
    #expect(types.filter { $0 == "beam" } == ["beam"], "an unknown action goes on as it came")
    let set = try #require(told.first { $0["action"]?["type"] == "timer_set" }?["time"]?.number)
    let ring = try #require(told.first { $0["action"]?["type"] == "timer_ring" })
    #expect(ring["action"]?["name"] == "egg")
    #expect(abs((ring["time"]?.number ?? 0) - set - 2) < 0.05)
    #expect(try Files.read("\(folder)/out.raw").count > 32_000, "the ring is heard")
  }

  @Test func aPipeGivesTheSameWakesAsTheFile() throws {
    let path = try Recordings.twoOrders()
    let file = try run(["--input", path, "--recognizer", "command:echo lights on"])
    let line = "hotword run --events json --recognizer 'command:echo lights on' --input -"
    let pipe = try Story(try Program.shell("dd if=\(path) bs=1001 status=none | \(line)"))
    #expect(pipe.isPaired)
    #expect(pipe.all("wake") == file.all("wake"))
    #expect(pipe.all("reply").map { $0["text"] } == file.all("reply").map { $0["text"] })
  }

  @Test func answersAreHeededWhileNoAudioComes() throws {
    let folder = Program.temporaryFolder()
    let path = try Recordings.wave(Recordings.order)
    let line = """
      (cat \(path); sleep 7; touch \(folder)/over) | hotword run --input - --pace \
      --recognizer 'command:sleep 1; echo lights on' \
      --handler 'command:test -e \(folder)/over && echo late || echo early'
      """
    #expect(try Program.shell(line).output.contains("early"))
  }

  @Test(
    arguments: [
      ["--recognizer", "command:sleep 30"],
      ["--recognizer", "command:echo lights on", "--handler", "command:sleep 30"],
      ["--recognizer", "command:echo lights on", "--speak", "command:sleep 30"],
    ])
  func aHangingPartDoesNotDelayTheEnd(_ parts: [String]) throws {
    let words = parts.map(Program.quoted).joined(separator: " ")
    let began = MonotonicClock.now()
    let line = """
      timeout --preserve-status -s TERM 4 hotword run --input \(try Recordings.wave(Recordings.order)) \
      --events json --player alsa:null \(words)
      """
    let story = try Story(try Program.shell(line))
    #expect(MonotonicClock.now() - began < 6.5)
    #expect(story.outcome.code == 0)
    #expect(story.isPaired && story.names.last == "idle", "\(story.names)")
  }

  @Test func anInterruptedServiceEndsItsConversation() throws {
    let configuration = try Recordings.alsaConfiguration(playing: Recordings.order)
    let line = """
      ALSA_CONFIG_PATH=\(configuration) timeout --preserve-status -s INT 2.5 \
      hotword run --input alsa:clip --events json --recognizer 'command:echo lights on'
      """
    let story = try Story(try Program.shell(line))
    #expect(story.outcome.code == 0)
    #expect(story.isPaired)
    #expect(story.names.last == "idle")
  }
}
