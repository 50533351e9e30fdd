import Platform
import TestServers
import Testing

/// A server that follows the names of a home in Home Assistant.
@Suite(
  .limited, .needsProgram, .serialized,
  .enabled(
    if: PythonServer.python(with: ["websockets", "wyoming"]) != nil,
    "needs python3 with websockets and wyoming"))
struct ServeHomeTests {
  private let folder: String
  private let sentences = "\(Program.root)/Tests/HomeAssistantTests/Fixtures"

  init() throws {
    folder = Program.temporaryFolder()
    try Files.write(Array("good\n".utf8), to: "\(folder)/key")
    try Files.write(Array("bad\n".utf8), to: "\(folder)/wrong")
  }

  private func home(_ behaviour: String = "answers", port: Int = 0) throws -> PythonServer {
    try PythonServer("home_assistant.py", [behaviour, "\(port)", "\(folder)/names"], modules: ["websockets"])
  }

  private func options(_ port: Int, key: String = "key") -> [String] {
    [
      "--homeassistant", "http://127.0.0.1:\(port)", "--key", "\(folder)/\(key)", "--sentences", sentences,
      "--recognizer", "builtin",
    ]
  }

  private func server(_ port: Int) throws -> WakeServer {
    try WakeServer(options(port), environment: "XDG_DATA_HOME=\(folder)")
  }

  /// Says sentences to a server, which answers them with events of these types.
  private func expect(_ answers: [(text: String, type: String)], of server: WakeServer) throws {
    let steps = answers.flatMap { answer -> [JSON] in
      [["send", "transcript", ["text": .string(answer.text)]], ["until", .string(answer.type)]]
    }
    let types = try server.events(steps).map { $0["type"]?.string }
    #expect(types == answers.map(\.type))
  }

  /// A WAV file of speech with silence around it.
  private func spoken(_ text: String) throws -> String { try Flite.say(", \(text).") }

  @Test(.enabled(if: Flite.isThere, "needs flite"))
  func aNewNameIsUnderstoodWithoutARestart() throws {
    let home = try home()
    let server = try server(home.port)
    try expect([("turn on the big light", "intent"), ("turn on the radio", "not-recognized")], of: server)
    try Files.write(Array(#"{"light.ceiling": "Radio"}"#.utf8), to: "\(folder)/names")
    #expect(Waiting.until { server.messages.split(separator: " entities").count == 3 })
    try expect([("turn on the radio", "intent")], of: server)
    let events = try server.events([
      ["send", "transcribe", ["language": "en"]],
      ["send", "audio-start", ["rate": 16_000, "width": 2, "channels": 1]],
      ["wav", .string(try spoken("turn on radio")), 160], ["send", "audio-stop"],
      ["until", "transcript"],
    ])
    #expect(events.first?["text"] == "turn on radio")
    #expect(server.terminate() == 0)
    #expect(!server.messages.contains("warning"), "\(server.messages)")
  }

  @Test func aServerThatStartsBeforeHomeAssistantUsesTheNamesOfTheLastTime() throws {
    var home: PythonServer? = try home()
    let port = try #require(home?.port)
    #expect(try server(port).terminate() == 0)
    let stored = "\(folder)/hotword/homes/127.0.0.1:\(port).yaml"
    #expect(try Program.shell("stat -c %a '\(stored)'").output == "600\n")
    home = nil
    let server = try server(port)
    #expect(server.messages.contains("using the names of the home that were stored"))
    try expect([("turn on the big light", "intent")], of: server)
    home = try self.home("starting", port: port)
    try Files.write(Array(#"{"light.ceiling": "Sun"}"#.utf8), to: "\(folder)/names")
    #expect(Waiting.until { server.messages.contains(" entities") })
    try expect([("turn on the sun", "intent")], of: server)
    #expect(
      server.messages.split(separator: "; retrying").count == 2, "a loss is told once: \(server.messages)")
    #expect(Waiting.until { server.messages.contains("answers again") })
    withExtendedLifetime(home) {}
  }

  @Test func withoutHomeAssistantTheBuiltInSentencesAreUnderstood() throws {
    let server = try server(1)
    #expect(server.messages.contains("127.0.0.1:1"))
    try expect([("turn on the kitchen light", "intent")], of: server)
  }

  @Test func whatWaitingDoesNotMendIsAFault() throws {
    let home = try home()
    for (words, code, text) in [
      (options(home.port, key: "wrong"), 77, "long-lived access token"),
      (options(home.port) + ["--language", "xx"], 66, "it has en"),
      (options(home.port) + ["--intents", "home.yaml"], 64, "--custom-sentences"),
      (options(home.port) + ["--wake-only"], 64, "then nothing is understood"),
      (["--homeassistant", "http://127.0.0.1:1"], 64, "--key FILE is missing"),
      (["--key", "key"], 64, "--key needs --homeassistant"),
    ] {
      let outcome = try Program.run(["serve", "--uri", "tcp://127.0.0.1:0"] + words)
      #expect(outcome.code == code && outcome.onlyError?.contains(text) == true, "\(outcome.errors)")
    }
  }
}
