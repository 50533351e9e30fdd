import AudioCapture
import Glibc
import Networking
import Platform
import TestServers
import Testing

/// `hotword run --web`: the page and its interface, with the real service behind them.
@Suite(.limited, .needsProgram, .serialized) struct WebTests {
  /// `hotword run --web` on a recording of commands.
  private func run(_ words: String..., commands: Int = 20) throws -> Page {
    try Page(["run", "--input", Recordings.orders(commands), "--pace", "--web=127.0.0.1:0"] + words)
  }

  private final class Page {
    let service: RunningProgram
    let port: Int
    private let client = HTTPClient(timeout: 60)
    private let token: String

    /// - Parameter words: the command and its arguments.
    init(_ words: [String]) throws {
      service = try RunningProgram(words)
      let service = service
      func address() -> Int? {
        guard let start = service.errors.firstRange(of: "page for browsers at http://127.0.0.1:") else {
          return nil
        }
        return Int(service.errors[start.upperBound...].prefix { $0.isNumber })
      }
      #expect(Waiting.until { address() != nil }, "\(service.errors)")
      port = try #require(address())
      let page = try WebAddress("http://127.0.0.1:\(port)/api/session", schemes: ["http"], expected: "")
      let session = try JSON(parsing: client.send(HTTPRequest(.get, page)).body)
      token = try #require(session["token"]?.string)
    }

    func send(_ path: String, _ body: JSON? = nil) throws -> JSON {
      let address = try WebAddress("http://127.0.0.1:\(port)\(path)", schemes: ["http"], expected: "")
      let headers = [
        HTTPRequest.Header("Content-Type", "application/json"), HTTPRequest.Header("X-Hotword-Token", token),
      ]
      let request = HTTPRequest(
        body == nil ? .get : .post, address, headers: headers, body: body.map { Array("\($0)".utf8) } ?? [])
      return try JSON(parsing: client.send(request).body)
    }
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
    let page = try Page(["web", "127.0.0.1:0", "--keep", folder])
    #expect(try page.send("/api/session")["live"] == false)
    #expect(try page.send("/api/clips")["folder"]?.string == folder)
    #expect(try page.send("/api/live")["error"] != nil)
    #expect(try page.send("/api/understand", ["text": "set a timer"])["status"] == "needsValue")
    #expect(try page.service.end(by: SIGTERM).code == 0)
  }

  @Test func anAddressThatOthersReachIsRefused() throws {
    for words in [["run", "--web=0.0.0.0:10480"], ["web", "192.168.1.2:10480"]] {
      let outcome = try Program.run(words)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("of the loopback interface"), "\(outcome.errors)")
    }
  }

  @Test(.enabled(if: Browser.isThere, "no chromium, or no Python with websockets; install chromium"))
  func aPersonUsesThePageInABrowser() throws {
    let page = try run("--keep", Program.temporaryFolder() + "/clips", commands: 60)
    #expect(
      Waiting.until { (try? page.send("/api/clips"))?["clips"]?.array?.isEmpty == false }, "a clip is kept")
    let script = PythonServer.script("web_page.py")
    let python = try #require(PythonServer.python(with: ["websockets"]))
    let words = ["--teach", Self.phrase, "--microphone", try Self.microphone()]
    let result = try Subprocess([python, script, "/dev/null", "http://127.0.0.1:\(page.port)/"] + words)
      .run(timeout: 600, keepsErrors: true)
    #expect(result.ending == .exited(0), "\(result.lastErrorLine ?? "")")
    let report = try JSON(parsing: result.output)
    let facts = try #require(report["facts"]?.members)
    #expect(facts.count == 26)
    for fact in facts { #expect(fact.value == true, "\(fact.name)") }
    #expect(report["accessibility"] == [])
    #expect(report["problems"] == [])
    #expect(report["otherHosts"] == [])
    #expect(try #require(report["bytes"]?.number) < 150_000)
  }

  private static let phrase = "hello house"

  /// A recording for the microphone of a browser: silence with low noise, and the phrase after one second.
  private static func microphone() throws -> String {
    let spoken = try Subprocess(["\(Program.path)-train", "say", phrase, "--voice", "flite slt"])
      .run(timeout: 120)
    var samples = (0..<64_000).map { Int16(($0 &* 7_919) % 21 - 10) }
    let said = try AudioFile.decode(spoken.output, name: "the phrase", limit: 40_000)
    for (index, sample) in said.enumerated() { samples[16_000 + index] = sample / 2 }
    return try Program.file("microphone.wav", AudioFile.wave(samples))
  }

  /// The pages of a browser and `curl` train in the same way: the state is the server's.
  @Test func aTrainingRunsInTheBackgroundAndEndsWithTheProgram() throws {
    let folder = Program.temporaryFolder()
    let page = try Page(["web", "127.0.0.1:0", "--keep", folder])
    let phrase = try page.send("/api/phrases", ["phrase": "hello house"])
    #expect(phrase["name"] == "hello_house")
    let speech = try page.send("/api/pronounce", ["phrase": "computers"])
    #expect(
      speech["warnings"]?.array?.contains { $0.string?.contains("sounds like 'computer'") == true } == true,
      "\(speech)")
    #expect(try #require(speech["voices"]?.array).contains("flite slt"))
    #expect(speech["pronunciations"]?.array?.isEmpty == false)
    _ = try page.send("/api/phrases/hello_house/train", ["steps": 10])
    #expect(
      Waiting.until { (try? page.send("/api/work"))?["work"]?["part"]?.number != nil }, "progress is reported")
    let child = try Self.trainings(below: page.service.process)
    #expect(child.count == 1)
    #expect(try page.service.end(by: SIGTERM).code == 0)
    #expect(Waiting.until { child.allSatisfy { kill($0, 0) != 0 } }, "the training has ended")
  }

  /// The processes that a program has started.
  private static func trainings(below process: pid_t) throws -> [pid_t] {
    let result = try Subprocess(["pgrep", "-P", "\(process)"]).run(timeout: 30)
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap { pid_t($0) }
  }

  private enum Browser {
    static let isThere: Bool = {
      let found = try? Subprocess(shell: "command -v chromium").run(timeout: 30)
      return found?.ending == .exited(0) && PythonServer.python(with: ["websockets"]) != nil
    }()
  }
}
