import Platform
import TestServers
import Testing

/// Recognizers and handlers on other machines, as `run` and `transcribe` use them.
@Suite(.limited, .needsProgram, .serialized) struct RemoteTests {
  private func events(_ words: [String]) throws -> [JSON] {
    let outcome = try Program.run(["run", "--events", "json"] + words)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try outcome.objects.filter { $0["event"] != "partial" }
  }

  private func names(_ events: [JSON]) -> [String] { events.compactMap { $0["event"]?.string } }

  @Test func theNextRecognizerIsGivenAllAudioAndTheFailureToldOnce() throws {
    let heard = Program.temporaryFolder() + "/heard.wav"
    let events = try events([
      "--input", try Recordings.twoOrders(), "--recognizer", "wyoming:tcp://127.0.0.1:1",
      "--recognizer", "command:tee -a \(heard) | wc -c >/dev/null; echo lights on",
    ])
    let turn = ["transcript", "intent", "action", "reply", "idle"]
    #expect(names(events) == ["ready", "wake", "listening", "error"] + turn + ["wake", "listening"] + turn)
    let error = try #require(events.first { $0["event"] == "error" })
    #expect(
      error["code"]?.number == 69
        && error["message"]?.string?.hasPrefix("127.0.0.1:1: cannot be reached") == true)
    #expect(try Files.read(heard).count > 2 * 16_000)
  }

  @Test(.enabled(if: PythonServer.python(with: ["wyoming"]) != nil, "needs python3 with wyoming"))
  func theRealWyomingServerHearsTheOrder() throws {
    let server = try PythonServer("wyoming_asr.py", ["streams", "tcp://127.0.0.1:0"], modules: ["wyoming"])
    let recognizer = "wyoming:tcp://127.0.0.1:\(server.port)"
    let events = try events(["--input", try Recordings.wave(Recordings.order), "--recognizer", recognizer])
    #expect(events.first { $0["event"] == "transcript" }?["text"] == "turn on the light")
    let outcome = try Program.run([
      "transcribe", "--recognizer", recognizer + ",language=fr", Program.recording,
    ])
    #expect(try outcome.objects.first?["text"] == "turn on the light")
    #expect(server.requests.compactMap { $0["transcribe"]?.string } == ["en", "fr"])
  }

  @Test func keysComeFromTheServiceManager() throws {
    let folder = Program.temporaryFolder()
    try Files.write(Array("k3y\n".utf8), to: folder + "/speech")
    let server = try HTTPServer(#"{"text":"lights on"}"#)
    let line =
      "CREDENTIALS_DIRECTORY=\(folder) hotword transcribe --recognizer openai:\(server.url)/v1,key=speech"
    let outcome = try Program.shell("\(line) \(Program.recording)")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(server.requests.first?["headers"]?["authorization"] == "Bearer k3y")
    let without = try Program.shell(line.split(separator: " ").dropFirst().joined(separator: " ") + " x")
    #expect(without.code == 78 && without.onlyError?.contains("no key 'speech'") == true)
  }

  @Test func aWebhookAnswers() throws {
    let server = try HTTPServer(#"{"reply":"so be it"}"#)
    let events = try events([
      "--input", try Recordings.wave(Recordings.order), "--recognizer", "command:echo lights on",
      "--handler", "command:true", "--handler", "\(server.url)/hook",
    ])
    #expect(events.first { $0["event"] == "reply" }?["text"] == "so be it")
    let body = try #require(server.requests.first?["body"]?.string)
    let event = try JSON(parsing: Array(body.utf8), what: "the event")
    #expect(event["intent"]?["name"] == "TurnOn" && event["keyword"] == "computer")
  }

  @Test func aServiceUnderstandsAndTheIntentFileWhereItFails() throws {
    let answer =
      #"{"intent":{"name":"Greet","confidence":0.9},"entities":[{"entity":"who","value":"ann","start":6,"end":9}]}"#
    let server = try HTTPServer([.init(answer), .init(status: 500)])
    let words = ["understand", "--understanding", "rasa:\(server.url),timeout=3", "hello ann"]
    let outcome = try Program.run(words + ["turn on the kitchen light", "what time is it"])
    #expect(
      outcome.code == 0 && outcome.onlyError?.contains("rasa: request rejected with status 500") == true)
    let lines = try outcome.objects
    #expect(lines.map { $0["intent"]?["name"] } == ["Greet", "TurnOn", "GetTime"])
    #expect(lines[0]["slots"]?["who"]?["range"] == [6, 9])
    #expect(server.requests.count == 2)
  }

  @Test func aHandlerIsCalledThoughTheParentIgnoresTheEndsOfProcesses() throws {
    let order = try Recordings.wave(Recordings.order)
    let outcome = try Program.shell(
      """
      perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' hotword run --input \(order) --events json \
      --recognizer 'command:echo lights on' --handler 'command:echo done'
      """)
    #expect(outcome.output.contains(#""text":"done""#), "\(outcome)")
    #expect(outcome.errors.isEmpty)
  }

  @Test func theServiceIsAskedByRunToo() throws {
    let spoken =
      #"{"response":{"response_type":"action_done","data":{},"speech":{"plain":{"speech":"Lamp is on"}}}}"#
    let server = try HTTPServer([.init(spoken), .init("garbage")])
    let folder = Program.temporaryFolder()
    try Files.write(Array("t0ken".utf8), to: folder + "/key")
    let events = try events([
      "--input", try Recordings.twoOrders(), "--recognizer", "command:echo lights on",
      "--understanding", "homeassistant:\(server.url),key=\(folder)/key",
    ])
    let turn = ["intent", "action", "reply", "idle"]
    let names = names(events)
    #expect(
      names == ["ready", "wake", "listening", "transcript"] + turn + [
        "wake", "listening", "transcript", "error",
      ] + turn)
    let replies = events.filter { $0["event"] == "reply" }.map { $0["text"]?.string }
    #expect(replies.first == "Lamp is on" && replies.last != "Lamp is on")
    #expect(server.requests.allSatisfy { $0["headers"]?["authorization"] == "Bearer t0ken" })
    #expect(!"\(events)".contains("t0ken"))
  }

  @Test(arguments: [
    (["--recognizer", "wyoming:tcp://host"], "tcp://HOST:PORT"),
    (["--recognizer", "vosk:http://host"], "ws://HOST:PORT"),
    (["--recognizer", "openai:https://me:pw@host/v1"], "'…@host/v1'"),
    (["--recognizer", "whisper:http://host,model=x"], "unknown option 'model'"),
    (["--recognizer", "openai:https://host/v1,key=/nonexistent"], "/nonexistent"),
    (["--recognizer", "vosk:wss://host:1,ca=/nonexistent.pem"], "/nonexistent.pem"),
    (["--handler", "https://host/x,ca=/nonexistent.pem"], "/nonexistent.pem"),
    (["--handler", "mqtts://host,ca=/nonexistent.pem"], "/nonexistent.pem"),
    (["--understanding", "wit:https://host,ca=/nonexistent.pem"], "/nonexistent.pem"),
    (["--handler", "https://host/x,timeout=3"], "unknown option 'timeout'"),
    (["--handler", "mqtt://host/a/+"], "'a/+'"), (["--handler", "ftp://host"], "mqtt://HOST"),
    (["--understanding", "rasa"], "'rasa'"),
    (["--understanding", "siri:https://host"], "'siri'"),
    (["--understanding", "lex:https://host,bot=b"], "'alias' is missing"),
    (["--understanding", "lex:https://host,bot=b,alias=a,region=r"], "ACCESS:SECRET:TOKEN"),
    (["--understanding", "rasa:http://host,key=/a,jwt=/b"], "'key' or 'jwt', not both"),
    (["--understanding", "luis:https://host,app=a,version=4"], "from 2 to 3"),
    (["--understanding", "wit:https://host,timeout=99"], "from 0.1 to 8"),
  ])
  func aWrongPlugInIsToldBeforeListening(_ words: [String], _ part: String) throws {
    let outcome = try Program.run(["run", "--input", Program.recording] + words)
    #expect(outcome.code == 78 || outcome.code == 66, "\(outcome.code)")
    #expect(outcome.output.isEmpty && outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
  }
}
