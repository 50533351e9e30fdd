import Actions
import AudioCapture
import Configuration
import PCM
import Platform
import Service
import TestServers
import Testing
import Understanding

/// The service's one consumer, with fake parts: no process, no models, no microphone.
@Suite(.limited) struct ServiceLoopTests {
  @Test(arguments: [Pacing.file, .pipe])
  func aCommandGoesFromTheHotwordToItsReply(_ pacing: Pacing) throws {
    let events = try TestService(command, pacing: pacing).run()
    #expect(events.names == ["ready"] + conversation)
    #expect(events.first { $0["event"] == "reply" }?["text"] == "Done.")
    #expect(events.last?["reason"] == "done")
  }

  @Test func aHotwordAloneEndsWithoutSpeech() throws {
    let events = try TestService([.silence(1), .hotword, .silence(6)]).run()
    #expect(events.names == ["ready", "wake", "listening", "idle"])
    #expect(events.last?["reason"] == "noSpeech")
  }

  @Test func speechThatIsNotRecognizedIsAnswered() throws {
    let events = try TestService(command, recognizer: FakeRecognizer([""])).run()
    #expect(events.names == ["ready", "wake", "listening", "transcript", "intent", "reply", "idle"])
    #expect(events.first { $0["event"] == "intent" }?["status"] == "notUnderstood")
    #expect(events.first { $0["event"] == "reply" }?["text"] == "Sorry, I did not understand.")
    #expect(events.last?["reason"] == "notUnderstood")
  }

  @Test func anAnswerThatIsNotRecognizedIsAskedForAgain() throws {
    let answer: [FakeSource.Step] = [.silence(0.3), .speech(1), .silence(2)]
    let recognizer = FakeRecognizer(["set a timer", "", "to rhubarb", "ten minutes"])
    let events = try TestService(command + answer + answer + answer, recognizer: recognizer).run()
    let turn = ["listening", "transcript", "intent"]
    let asked = turn + ["prompt"]
    let expected = [["ready", "wake"], asked, asked, asked, turn, ["reply", "idle"]].joined()
    #expect(events.names.filter { $0 != "action" } == Array(expected))
    #expect(events.last?["reason"] == "done")
  }

  @Test func anUncertainYesIsAskedForAgain() throws {
    let intents = try IntentFile(
      parsing: Array(
        """
        language: en
        intents:
          OpenDoor:
            data: [{sentences: ["open the door"]}]
            confirm: "Open the door?"
        """.utf8), name: "door.yaml")
    let answer: [FakeSource.Step] = [.silence(0.3), .speech(1), .silence(2)]
    let recognizer = FakeRecognizer(["open the door", "yes", "yes"], confidences: [0.6, 0.6, 0.9])
    let events = try TestService(command + answer + answer, recognizer: recognizer, intents: intents).run()
    #expect(
      events.filter { $0["event"] == "intent" }.compactMap { $0["status"]?.string } == [
        "needsConfirmation", "needsConfirmation", "ready",
      ])
  }

  @Test func theRecognizerReceivesAllAudioOfASlowCommandOnce() throws {
    let recognizer = FakeRecognizer(loading: 1, pace: 1.5)
    let service = try TestService(command + [.silence(20)], pacing: .live, recognizer: recognizer)
    // Live audio that is faster than time: the recognizer is slower than the stream by far.
    let events = try service.run()
    #expect(events.names == ["ready"] + conversation)
    #expect(events.last?["reason"] == "done")
    // From the end of the hotword to the end of speech: 0.2 s, 1 s, and 0.8 s of silence.
    let seconds = AudioFormat.seconds(recognizer.samples.first ?? 0)
    #expect(recognizer.samples.count == 1 && (1.8...2.3).contains(seconds), "\(seconds)")
  }

  @Test func aHotwordDuringASlowRecognitionWaitsAndNoCommandIsLost() throws {
    let recognizer = FakeRecognizer(["turn on the kitchen light", "turn off the kitchen light"], loading: 1)
    let service = try TestService(command + command, pacing: .live, recognizer: recognizer)
    let events = try service.run()
    #expect(events.names == ["ready"] + conversation + conversation)
    #expect(
      events.filter { $0["event"] == "transcript" }.map { $0["text"] } == [
        "turn on the kitchen light", "turn off the kitchen light",
      ])
    let lengths = recognizer.samples.map { AudioFormat.seconds($0) }
    #expect(lengths.count == 2 && lengths.allSatisfy { (1.8...2.5).contains($0) }, "\(lengths)")
  }

  @Test func aHandlerThatFailsIsReportedAndListeningContinues() throws {
    let fault = FakeHandler(fault: .noAnswer(command: "x"))
    let events = try TestService(command + command, handler: fault).run()
    let failed = ["wake", "listening", "transcript", "intent", "error", "idle"]
    #expect(events.names == ["ready"] + failed + failed)
    #expect(events.last?["reason"] == "failed")
  }

  @Test func aGapAndALostDeviceAreReported() throws {
    let lost: [FakeSource.Step] = [
      .silence(1), .gap(0.5), .silence(0.5), .hotword, .silence(0.2), .speech(0.5), .lost, .recovered,
    ]
    let service = try TestService(lost + command)
    let events = try service.run()
    let broken = ["device", "wake", "listening", "device", "error", "idle", "device"]
    #expect(events.names == ["ready"] + broken + conversation)
    #expect(service.supervisor.metrics.stream.lost.value == 8_000)
    #expect(service.supervisor.metrics.stream.deviceLosses.value == 1)
  }

  @Test func aTimerRingsWhileTheDeviceIsLost() throws {
    let recognizer = FakeRecognizer(["set a timer for one second"])
    let timer = FakeHandler(answer: Answer(nil, actions: [.timer(seconds: 3, name: nil)]))
    let service = try TestService(
      command + [.lost, .hold], pacing: .live, recognizer: recognizer, handler: timer)
    let ended = try service.start()
    let events = try service.wait(for: "device")
    let rings = Waiting.until {
      ((try? service.events()) ?? []).contains { $0["action"]?["type"] == "timer_ring" }
    }
    #expect(rings, "\(events.names)")
    service.stop()
    #expect(ended.take() == "")
  }

  @Test func aSessionThatIsOpenedWhileTheDeviceIsLostEnds() throws {
    let service = try TestService([.silence(1), .lost, .hold], pacing: .live)
    let ended = try service.start()
    _ = try service.wait(for: "device")
    service.queue.post(.hermes(.listen(prompt: nil, .command)))
    #expect(try service.wait(for: "idle").names.suffix(3) == ["listening", "error", "idle"])
    service.stop()
    #expect(ended.take() == "")
  }

  @Test func aBrokenSourceEndsTheServiceWithItsFault() throws {
    let service = try TestService([.silence(1), .failure(.deviceBusy(name: "x"))])
    #expect(throws: CaptureFault.self) { try service.loop.run() }
  }

  @Test func aStopEndsTheConversationAndTheService() throws {
    let service = try TestService(
      [.silence(1), .hotword, .silence(0.2), .speech(0.5), .hold], pacing: .live)
    let ended = try service.start()
    _ = try service.wait(for: "listening")
    let start = MonotonicClock.now()
    service.stop()
    #expect(ended.take(within: 10)?.isEmpty == true)
    #expect(MonotonicClock.now() - start < 2)
    let last = try service.events()
    #expect(last.names.last == "idle" && last.last?["reason"] == "cancelled")
    #expect(!last.names.contains("transcript"), "half a command is not carried out")
  }

  @Test func aStopCancelsAHandlerThatIsTooSlow() throws {
    let service = try TestService(command + [.hold], pacing: .live, handler: FakeHandler(seconds: 5))
    let ended = try service.start()
    _ = try service.wait(for: "intent")
    let start = MonotonicClock.now()
    service.stop()
    #expect(ended.take(within: 10)?.isEmpty == true)
    #expect(MonotonicClock.now() - start < 2)
    #expect(try service.events().last?["reason"] == "cancelled")
  }
}
