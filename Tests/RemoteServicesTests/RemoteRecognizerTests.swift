import Networking
import Platform
import Recognition
import RemoteServices
import TestServers
import Testing

/// One second of samples that show their position.
private let second: [Int16] = (0..<16_000).map { Int16(truncatingIfNeeded: $0 &* 7) }

/// Recognizes `second` in frames.
private func recognize(
  _ recognizer: any Recognizer, alternatives: Int = 0, pause: Double = 0
) throws(RecognitionFault) -> (partials: [String], result: Transcript) {
  let session = try recognizer.start(RecognitionRequest(alternatives: alternatives))
  var partials: [String] = []
  for start in stride(from: 0, to: second.count, by: 1_600) {
    if let partial = try session.append(Array(second[start..<start + 1_600])) {
      partials.append(partial.text)
    }
    // As fast as the audio of a microphone, or faster, so that a server can answer between two pieces.
    if pause > 0 { MonotonicClock.sleep(until: MonotonicClock.now() + pause) }
  }
  return (partials, try session.finish())
}

@Suite(.limited, .enabled(if: PythonServer.python(with: ["wyoming"]) != nil, "needs python3 with wyoming"))
struct WyomingRecognizerTests {
  private func recognizer(_ server: PythonServer, timeout: Double = 5) throws -> WyomingRecognizer {
    let endpoint = try WyomingConnection.endpoint("tcp://127.0.0.1:\(server.port)")
    return WyomingRecognizer(endpoint, locale: "en-US", timeout: timeout)
  }

  private func server(_ behaviour: String) throws -> PythonServer {
    try PythonServer("wyoming_asr.py", [behaviour, "tcp://127.0.0.1:0"], modules: ["wyoming"])
  }

  @Test func theServerReceivesTheAudioAndReturnsTheTranscript() throws {
    let server = try server("answers")
    #expect(try recognizer(server).availability == .available)
    let found = try recognize(recognizer(server)).result
    #expect(found.text == "turn on the light" && found.isFinal && found.segments.first?.end == 1)
    #expect(server.requests.contains { $0["transcribe"]?.string == "en" })
    let audio = try #require(server.requests.last)
    #expect(audio["format"] == [16_000, 2, 1] && audio["bytes"]?.number == 32_000)
    #expect(audio["audio"] == [0, 0, 7, 0, 14, 0, 21, 0])
  }

  @Test func aStreamingServerReturnsPartialResults() throws {
    let server = try server("streams")
    let found = try recognize(recognizer(server), pause: 0.05)
    #expect(found.partials == ["turn on"])
    #expect(found.result.text == "turn on the light")
  }

  @Test(arguments: ["fails", "garbage", "wrong", "closes", "dies"])
  func failuresOfTheServerAreReportedAtOnce(_ behaviour: String) throws {
    let server = try server(behaviour)
    let peer = "127.0.0.1:\(server.port)"
    let began = MonotonicClock.now()
    #expect { try recognize(recognizer(server)) } throws: { fault in
      switch (behaviour, fault as? RecognitionFault, fault.networkFault) {
      case ("fails", .refused(peer, nil, "no [2J model"), nil): true
      case ("garbage", _, .notUnderstood(peer, _)): true
      case ("wrong", .noTranscript(peer), nil): true
      case ("closes", _, .closed(peer)), ("dies", _, .closed(peer)): true
      default: false
      }
    }
    #expect(MonotonicClock.now() - began < 60)
  }

  @Test func aSilentServerTimesOutAndCanBeCancelled() throws {
    let server = try server("silent")
    let began = MonotonicClock.now()
    #expect { try recognize(recognizer(server, timeout: 0.3)) } throws: { fault in
      if case .timedOut(_, 0.3)? = fault.networkFault { true } else { false }
    }
    let session = try recognizer(server, timeout: 20).start(RecognitionRequest())
    let cancelling = Cancelling(session)
    try DetachedThread.start {
      // `finish` most likely waits by now; it does not report that it does.
      MonotonicClock.sleep(until: MonotonicClock.now() + 0.2)
      cancelling.session.cancel()
    }
    #expect(throws: RecognitionFault.cancelled) { try session.finish() }
    #expect(session.state == .cancelled)
    #expect(MonotonicClock.now() - began < 60)
  }

  @Test func aServerThatNeverStopsSendingTimesOut() throws {
    let server = try server("floods")
    try expectTimeOut(recognizer(server, timeout: 0.5))
  }

  @Test func anUnreachableServerIsUnavailable() throws {
    let recognizer = WyomingRecognizer(try WyomingConnection.endpoint("tcp://127.0.0.1:1"))
    guard case .unavailable(let fault) = recognizer.availability, case .unreachable? = fault.networkFault
    else {
      Issue.record("\(recognizer.availability)")
      return
    }
    #expect(throws: RecognitionFault.self) { try recognizer.start(RecognitionRequest()) }
  }
}

/// Recognizes audio that arrives in pieces and expects that the server is given up.
private func expectTimeOut(_ recognizer: any Recognizer) throws {
  let began = MonotonicClock.now()
  #expect { try recognize(recognizer, pause: 0.01) } throws: { fault in
    if case .timedOut? = fault.networkFault { true } else { false }
  }
  #expect(MonotonicClock.now() - began < 60)
}

/// Sessions may be cancelled by any thread.
private struct Cancelling: @unchecked Sendable {
  let session: any RecognitionSession

  init(_ session: any RecognitionSession) { self.session = session }
}

@Suite(
  .limited, .enabled(if: PythonServer.python(with: ["websockets"]) != nil, "needs python3 with websockets"))
struct VoskRecognizerTests {
  private func server(_ behaviour: String) throws -> PythonServer {
    try PythonServer("vosk_server.py", [behaviour], modules: ["websockets"])
  }

  private func recognizer(_ server: PythonServer, timeout: Double = 5) throws -> VoskRecognizer {
    let address = try WebAddress("ws://127.0.0.1:\(server.port)", schemes: ["ws"], expected: "")
    return VoskRecognizer(address, timeout: timeout)
  }

  @Test func wordsHaveTimesAndConfidences() throws {
    let server = try server("answers")
    let found = try recognize(recognizer(server), pause: 0.03)
    #expect(found.partials.first == "turn")
    #expect(found.result.text == "turn on" && found.result.confidence == 0.75)
    #expect(found.result.segments.map(\.text) == ["turn", "on"])
    #expect(found.result.segments.last?.confidence == 0.5)
    let log = try #require(server.requests.last)
    #expect(log["rate"]?.number == 16_000 && log["bytes"]?.number == 32_000 && log["audio"] == [0, 0, 7, 0])
  }

  @Test func alternativesAreUnique() throws {
    let server = try server("answers")
    let found = try recognize(recognizer(server), alternatives: 3).result
    #expect(found.text == "turn on" && found.confidence == 1)
    #expect(found.alternatives.map(\.text) == ["turn in"])
    #expect(abs((found.alternatives.first?.confidence ?? 0) - 0.4966) < 0.001)
  }

  @Test(arguments: ["floods-pings", "floods-texts"])
  func aServerThatNeverStopsSendingEndsTheUtterance(_ behaviour: String) throws {
    let server = try server(behaviour)
    if behaviour == "floods-pings" {
      try expectTimeOut(recognizer(server, timeout: 0.5))
    } else {
      // Each text counts as the answer to a piece of audio.
      _ = try recognize(recognizer(server, timeout: 0.5), pause: 0.01)
    }
  }

  @Test func sentencesAreJoinedToOneTranscript() throws {
    let two = try server("two-sentences")
    #expect(try recognize(recognizer(two)).result.text == "hello there turn on")
    let deaf = try server("hears-nothing")
    #expect(try recognize(recognizer(deaf)).result == .silence)
  }

  @Test func failuresOfTheServerAreReported() throws {
    let dying = try server("dies")
    #expect { try recognize(recognizer(dying), pause: 0.02) } throws: { fault in
      if case .closed? = fault.networkFault { true } else { false }
    }
    let closing = try server("closes")
    #expect(throws: RecognitionFault.remote(AnyFault(NetworkFault.closed(peer: "127.0.0.1:\(closing.port)"))))
    {
      try recognize(recognizer(closing))
    }
    let garbage = try server("garbage")
    #expect(throws: RecognitionFault.noTranscript(peer: "127.0.0.1:\(garbage.port)")) {
      try recognize(recognizer(garbage))
    }
    let silent = try server("silent")
    #expect { try recognize(recognizer(silent, timeout: 0.3)) } throws: { fault in
      if case .timedOut? = fault.networkFault { true } else { false }
    }
  }
}

@Suite(.limited) struct UploadRecognizerTests {
  private func recognizer(
    _ dialect: UploadRecognizer.Dialect, _ server: HTTPServer, path: String = "", key: Secret? = nil,
    timeout: Double = 5
  ) throws -> UploadRecognizer {
    let address = try WebAddress(server.url + path, schemes: ["http"], expected: "")
    return UploadRecognizer(dialect, address, locale: "de-DE", key: key, timeout: timeout)
  }

  @Test func whisperReceivesTheForm() throws {
    let server = try HTTPServer(#"{"text":" Mach das Licht an.\n"}"#)
    let found = try recognize(recognizer(.whisper, server)).result
    #expect(found.text == "Mach das Licht an." && found.confidence == 1)
    let request = try #require(server.requests.first)
    #expect(request["method"]?.string == "POST" && request["path"]?.string == "/inference")
    let body = try #require(request["body"]?.string)
    for part in [
      "name=\"response_format\"\r\n\r\njson\r\n", "name=\"language\"\r\n\r\nde\r\n",
      "filename=\"speech.wav\"",
    ] {
      #expect(body.contains(part))
    }
    let start = try #require(body.firstRange(of: "RIFF"))
    let wave = body[start.lowerBound...].unicodeScalars
    #expect(wave.count > 32_044 && wave.count < 32_120)
    #expect(wave.dropFirst(44).prefix(6).map(\.value) == [0, 0, 7, 0, 14, 0])
    #expect(request["headers"]?["authorization"] == nil)
  }

  @Test func openAIReceivesModelAndKey() throws {
    let server = try HTTPServer(#"{"text":"hello","usage":{}}"#)
    let recognizer = try recognizer(.openAI(model: "m-1"), server, path: "/v1/", key: Secret("k3y"))
    #expect(try recognize(recognizer).result.text == "hello")
    let request = try #require(server.requests.first)
    #expect(request["path"]?.string == "/v1/audio/transcriptions")
    #expect(request["headers"]?["authorization"]?.string == "Bearer k3y")
    #expect(request["body"]?.string?.contains("name=\"model\"\r\n\r\nm-1\r\n") == true)
  }

  @Test func aRefusalIsReportedWithoutTheKey() throws {
    let body = #"{"error":{"message":"Incorrect key k3y\u001b[31m provided","type":"x"}}"#
    let server = try HTTPServer([.init(body, status: 401)])
    let peer = try WebAddress(server.url, schemes: ["http"], expected: "").peer
    let fault = RecognitionFault.refused(
      peer: peer, status: 401, reason: "Incorrect key (secret) [31m provided")
    #expect(throws: fault) { try recognize(recognizer(.openAI(model: "m"), server, key: Secret("k3y"))) }
    #expect(
      fault.message
        == "\(peer): the server rejected the request with status 401: Incorrect key (secret) [31m provided"
    )
  }

  @Test(arguments: [
    "", "no JSON", "[]", #"{"text":7}"#, #"{"text":null}"#, String(repeating: "[", count: 100_000),
  ])
  func invalidAnswersAreNotTranscripts(_ body: String) throws {
    let server = try HTTPServer(body)
    #expect { try recognize(recognizer(.whisper, server)) } throws: { fault in
      if case .noTranscript? = fault as? RecognitionFault { true } else { false }
    }
  }

  @Test(arguments: ["", " [BLANK_AUDIO]", "(wind blowing)"])
  func noSpeechIsSilence(_ text: String) throws {
    let server = try HTTPServer("{\"text\":\"\(text)\"}")
    #expect(try recognize(recognizer(.whisper, server)).result == .silence)
  }

  @Test func slowAndEndlessAnswersAreRejected() throws {
    let slow = try HTTPServer([.init("{}", delay: 20)])
    #expect { try recognize(recognizer(.whisper, slow, timeout: 0.3)) } throws: { fault in
      if case .timedOut? = fault.networkFault { true } else { false }
    }
    let endless = try HTTPServer([.init("0123456789", times: 1_000_000)])
    #expect { try recognize(recognizer(.whisper, endless)) } throws: { fault in
      if case .tooLarge? = fault.networkFault { true } else { false }
    }
  }
}
