import Glibc
import Networking
import Platform
import TestServers
import Testing

/// `hotword run --web`: the page and its interface, with the real service behind them.
@Suite(.limited, .needsProgram, .serialized) struct WebTests {
  /// `hotword run --web` on a recording of commands.
  private func run(_ words: String..., commands: Int = 20) throws -> ServedPage {
    try ServedPage(["run", "--input", Recordings.orders(commands), "--pace", "--web=127.0.0.1:0"] + words)
  }

  @Test func theLiveViewShowsTheStreamAndTheConversation() throws {
    let page = try run("--model", "computer")
    let descriptor = try #require(RawHTTP.connection(to: page.port))
    let request = "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    send(descriptor, request, request.utf8.count, 0)
    #expect(RawHTTP.waits(for: "event: frames\ndata: {\"time\":", on: descriptor))
    #expect(RawHTTP.waits(for: "\"text\":\"turn on the kitchen light\"", on: descriptor))
    // An open page does not delay the end.
    #expect(try page.service.end(by: SIGTERM).code == 0)
    close(descriptor)
  }

  @Test func aSensitivityActsAtOnce() throws {
    let page = try run("--model", "computer:0.3")
    let descriptor = try #require(RawHTTP.connection(to: page.port))
    defer { close(descriptor) }
    let request = "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    send(descriptor, request, request.utf8.count, 0)
    #expect(RawHTTP.waits(for: "\"sensitivity\":0.3,", on: descriptor))
    let answer = try page.send("/api/sensitivity", ["model": "computer", "sensitivity": 0.9])
    #expect(answer["sensitivity"] == 0.9)
    #expect(RawHTTP.waits(for: "\"sensitivity\":0.9,", on: descriptor))
    #expect(try page.send("/api/sensitivity", ["model": "jarvis", "sensitivity": 1])["error"] != nil)
    #expect(try page.send("/api/sensitivity", ["model": "computer", "sensitivity": 2])["error"] != nil)
  }

  @Test func sentencesAndChecksAreThoseOfTheCommands() throws {
    let page = try run()
    let meaning = try page.send("/api/understand", ["text": "turn on the kitchen light"])
    let printed = try Program.run(["understand", "turn on the kitchen light"])
    let expected = try JSON(parsing: Array(printed.output.utf8))
    for member in expected.members ?? [] { #expect(meaning[member.name] == member.value, "\(member.name)") }
    let listed = try JSON(parsing: Array(Program.run(["intents", "list", "--json"]).output.utf8))
    #expect(try page.send("/api/intents") == listed)
    #expect(try page.send("/api/state")["health"]?["keywords"] == ["computer"])
    #expect(try page.send("/api/check", [:])["faults"] == [])
    let findings = try #require(try page.send("/api/doctor", [:])["findings"]?.array)
    #expect(findings.contains { $0["check"] == "model" && $0["state"] == "ok" })
    #expect(!findings.contains { $0["check"] == "input" })
  }

  @Test func withoutAServiceClipsAndSentencesAreServed() throws {
    let folder = Program.temporaryFolder()
    let page = try ServedPage(["web", "127.0.0.1:0", "--keep", folder])
    #expect(try page.send("/api/session")["live"] == false)
    #expect(try page.send("/api/clips")["folder"]?.string == folder)
    #expect(try page.send("/api/live")["error"] != nil)
    #expect(try page.send("/api/understand", ["text": "set a timer"])["status"] == "needsValue")
    #expect(try page.service.end(by: SIGTERM).code == 0)
  }

  @Test(.enabled(if: Browser.isThere, "no chromium, or no Python with websockets; install chromium"))
  func aPersonUsesThePageInABrowser() throws {
    let page = try run("--keep", Program.temporaryFolder() + "/clips", commands: 40)
    #expect(
      Waiting.until { (try? page.send("/api/clips"))?["clips"]?.array?.isEmpty == false }, "a clip is kept")
    try Browser.use(page.port, facts: 21)
  }

  @Test(.enabled(if: Browser.isThere, "no chromium, or no Python with websockets; install chromium"))
  func aPersonSignsInEditsTheFilesAndSpeaks() throws {
    let folder = Program.temporaryFolder()
    let intents = "\(folder)/home.yaml"
    let sentences = """
      language: en
      intents:
        TurnOn:
          data: [{sentences: ["turn on the lamp", "turn on the kitchen light"]}]
      responses: {TurnOn: "It is on."}

      """
    try Files.write(Array(sentences.utf8), to: intents)
    let settings = "intents: \(intents)\nvolume: 40\n"
    try Files.write(Array(settings.utf8), to: "\(folder)/config.yaml")
    let token = "the token of a test page"
    try Files.write(Array("\(token)\n".utf8), to: "\(folder)/token", mode: 0o600)
    let page = try ServedPage(
      [
        "run", "--config", "\(folder)/config.yaml", "--input", try Recordings.orders(40), "--pace",
        "--web=127.0.0.1:0", "--web-token", "\(folder)/token",
      ], pageToken: token)
    let speech = try Recordings.wave(
      Array(Recordings.order[(16_000 * 145 / 100)...]) + [Int16](repeating: 0, count: 160_000))
    try Browser.use(page.port, ["--token", token, "--speech", speech], facts: 22)
    #expect(try Files.read("\(folder)/config.yaml") == Array(settings.replacing("40", with: "41").utf8))
  }

  enum Browser {
    static let isThere: Bool = {
      let found = try? Subprocess(shell: "command -v chromium").run(timeout: 30)
      return found?.ending == .exited(0) && PythonServer.python(with: ["websockets"]) != nil
    }()

    /// Uses the page as a person does, and checks what was seen.
    static func use(_ port: Int, _ words: [String] = [], facts count: Int) throws {
      let script = PythonServer.script("web_page.py")
      let python = try #require(PythonServer.python(with: ["websockets"]))
      let result = try Subprocess([python, script, "/dev/null", "http://127.0.0.1:\(port)/"] + words)
        .run(timeout: 600, keepsErrors: true)
      #expect(result.ending == .exited(0), "\(result.lastErrorLine ?? "")")
      let report = try JSON(parsing: result.output)
      let facts = try #require(report["facts"]?.members)
      #expect(facts.count == count)
      for fact in facts { #expect(fact.value == true, "\(fact.name)") }
      #expect(report["accessibility"] == [])
      #expect(report["problems"] == [])
      #expect(report["otherHosts"] == [])
      #expect(try #require(report["bytes"]?.number) < 150_000)
      if report["axe"] == false { print("axe-core did not check the page: install axe-playwright-python") }
    }
  }
}
