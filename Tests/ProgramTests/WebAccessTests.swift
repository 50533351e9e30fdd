import Glibc
import Platform
import TestServers
import Testing

/// The page where others can reach it, and the pages of the other commands.
@Suite(.limited, .needsProgram, .serialized) struct WebAccessTests {
  /// The status of a request by curl, and the answer.
  private static func curl(_ words: [String]) throws -> (status: Int, body: String) {
    let line = (["curl", "-s", "-m", "60", "-w", "\n%{http_code}"] + words).map(Program.quoted).joined(
      separator: " ")
    let lines = try Program.shell(line).output.split(separator: "\n", omittingEmptySubsequences: false)
    return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
  }

  private static func token(_ file: String) throws -> String {
    String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
  }

  @Test func aPageThatOthersReachIsEncryptedAndAsksForItsToken() throws {
    let folder = Program.temporaryFolder()
    let made = try Program.shell(
      "cd \(folder) && openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=localhost "
        + "-addext subjectAltName=DNS:localhost 2>&1")
    try #require(made.code == 0, "\(made.output)")
    let program = try RunningProgram([
      "web", "0.0.0.0:0", "--web-certificate", "\(folder)/c.pem", "--web-key", "\(folder)/k.pem",
      "--web-token", "\(folder)/web.token", "--keep", "\(folder)/clips",
    ])
    let mark = "page for browsers at https://0.0.0.0:"
    #expect(Waiting.until { program.errors.contains("the page asks for the token in") }, "\(program.errors)")
    let start = try #require(program.errors.firstRange(of: mark))
    let port = program.errors[start.upperBound...].prefix { $0.isNumber }
    let page = ["--cacert", "\(folder)/c.pem", "https://localhost:\(port)"]
    func get(_ path: String, _ more: [String] = []) throws -> (status: Int, body: String) {
      try Self.curl(Array(page.dropLast()) + ["\(page[2])\(path)"] + more)
    }
    #expect(try get("/").body.contains("<title>hotword</title>"))
    #expect(try get("/api/session").status == 401)
    let token = try Self.token("\(folder)/web.token")
    #expect(!program.errors.contains(token), "a log does not get the token")
    #expect(try get("/api/session", ["-H", "Authorization: Bearer \(token)"]).status == 200)
    let body: JSON = ["token": .string(token)]
    let jar = ["-c", "\(folder)/jar", "-H", "Content-Type: application/json", "-d", "\(body)"]
    #expect(try get("/api/sign-in", jar).status == 200)
    #expect(try get("/api/clips", ["-b", "\(folder)/jar"]).status == 200)
    #expect(try get("/api/session", ["-H", "Host: evil.example", "-b", "\(folder)/jar"]).status == 403)
    #expect(try Self.curl(["http://localhost:\(port)/"]).status != 200, "not without encryption")
    #expect(try program.end(by: SIGTERM).code == 0)
  }

  @Test func aProxyReachesTheLocalSocket() throws {
    let folder = Program.temporaryFolder()
    let socket = "\(folder)/page.sock"
    let program = try RunningProgram([
      "web", "unix://\(socket)", "--web-name", "kitchen.example", "--web-token", "\(folder)/token",
    ])
    #expect(Waiting.until { program.errors.contains("the page asks for the token in") }, "\(program.errors)")
    func get(_ host: String, _ more: [String] = []) throws -> Int {
      try Self.curl(["--unix-socket", socket, "http://\(host)/api/session"] + more).status
    }
    let right = ["-H", "Authorization: Bearer \(try Self.token("\(folder)/token"))"]
    var status = stat()
    #expect(stat(socket, &status) == 0 && status.st_mode & 0o666 == 0o666, "the proxy is another user")
    #expect(try get("kitchen.example") == 401)
    #expect(try get("kitchen.example", right) == 200)
    #expect(try get("evil.example", right) == 403)
    #expect(try program.end(by: SIGTERM).code == 0)
    #expect(!Files.exists(socket))
  }

  @Test func whatDoesNotProtectIsRefused() throws {
    let folder = Program.temporaryFolder()
    try Files.write(Array("no certificate\n".utf8), to: "\(folder)/x.pem")
    let pair = ["--web-certificate", "\(folder)/x.pem", "--web-key", "\(folder)/x.pem"]
    let wrong = try Program.run(["web", "127.0.0.1:0"] + pair)
    #expect(
      wrong.code == 78 && wrong.errors.contains("not a certificate and its key in PEM"), "\(wrong.errors)")
    for words in [
      ["run", "--web=0.0.0.0:10480"], ["web", "0.0.0.0:0"], ["serve", "--web=0.0.0.0:0"],
      ["satellite", "--web=0.0.0.0:0"],
    ] {
      let outcome = try Program.run(words)
      #expect(outcome.code == 64 && outcome.errors.contains("add web-certificate and web-key"), "\(words)")
    }
  }

  @Test(.enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
  func serveShowsItsClientsAndWhatTheySay() throws {
    let page = try ServedPage([
      "serve", "--uri", "tcp://127.0.0.1:0", "--model", "computer", "--web=127.0.0.1:0",
    ])
    #expect(try page.send("/api/session")["views"] == ["live", "understand", "state"])
    let mark = try #require(page.service.errors.firstRange(of: "listening for computer at "))
    let uri = String(page.service.errors[mark.upperBound...].prefix { $0 != "\n" })
    let path = JSON.string(try Recordings.wave(Recordings.order))
    let steps: [JSON] = [
      ["send", "audio-start", ["rate": 16_000, "width": 2, "channels": 1]], ["wav", path, 1_024],
      ["send", "audio-stop"], ["until", "detection"],
      ["send", "transcript", ["text": "turn on the kitchen light"]], ["until", "intent"],
    ]
    _ = try WakeServer.client("wyoming_wake_client.py", [uri], input: JSON.array(steps).description)
    for text in [
      "\"event\":\"connected\"", "\"event\":\"wake\"", "\"event\":\"intent\"", "TurnOn",
      "\"event\":\"disconnected\"",
    ] { #expect(try page.shows(text), "\(text)") }
    let uriParts = uri.split(separator: ":")
    let descriptor = try #require(RawHTTP.connection(to: Int(uriParts.last ?? "") ?? 0))
    defer { close(descriptor) }
    #expect(
      Waiting.until {
        (try? page.send("/api/state"))?["connections"]?.array?.first?["kind"] == "Wyoming client"
      })
    #expect(try page.send("/api/understand", ["text": "set a timer"])["status"] == "needsValue")
    #expect(try page.service.end(by: SIGTERM).code == 0)
  }

  @Test func theSatelliteShowsItsStream() throws {
    let page = try ServedPage([
      "satellite", "--name", "Kitchen", "--uri", "tcp://127.0.0.1:0", "--input", try Recordings.orders(20),
      "--pace",
      "--player", "none", "--model", "computer:0.3", "--web=127.0.0.1:0",
    ])
    #expect(try page.send("/api/session")["views"] == ["live", "state"])
    #expect(try page.shows("\"sensitivity\":0.3,"))
    #expect(try page.shows("event: frames\ndata: {\"time\":"))
    _ = try page.send("/api/sensitivity", ["model": "computer", "sensitivity": 0.9])
    #expect(try page.shows("\"sensitivity\":0.9,"))
    let state = try page.send("/api/state")
    #expect(state["connections"]?.array?.first?["connected"] == false)
    #expect(state["health"]?["keywords"] == ["computer"])
    #expect(try page.service.end(by: SIGTERM).code == 0)
  }

  @Test func aSensitivityOfAnESPHomeSatelliteIsTheOneThatHomeAssistantShows() throws {
    let folder = Program.temporaryFolder()
    let page = try ServedPage([
      "satellite", "--esphome", "--uri", "tcp://127.0.0.1:0", "--key", "\(folder)/my.key", "--input",
      try Recordings.orders(20), "--pace", "--player", "none", "--web=127.0.0.1:0",
    ])
    _ = try page.send("/api/sensitivity", ["model": "computer", "sensitivity": 0.9])
    #expect(try page.shows("\"sensitivity\":0.9,"))
    #expect(try page.service.end(by: SIGTERM).code == 0)
    let kept = try JSON(parsing: try Files.read("\(folder)/my.json"))
    #expect(kept["sensitivities"] == .object([JSON.Member("computer", 0.9)]))
  }

  @Test func theKeyOfTheSatellitesFileServesThePage() throws {
    let file = try Program.file(
      "satellite.yaml", Array("uri: tcp://127.0.0.1:0\nplayer: none\nweb: 127.0.0.1:0\n".utf8))
    let page = try ServedPage(["satellite", "--config", file, "--input", try Recordings.orders(20), "--pace"])
    #expect(try page.send("/api/check", [:])["file"]?.string == file)
  }

  @Test func speechIsRecognizedByTheServicesRecognizer() throws {
    let page = try ServedPage([
      "web", "127.0.0.1:0", "--keep", Program.temporaryFolder(),
    ])
    let speech = Array(Recordings.order[(16_000 * 145 / 100)...])
    let wave = try Files.read(Recordings.wave(speech))
    let answer = try page.send("/api/transcribe", type: "audio/wav", wave)
    #expect(answer["text"] == "turn on the kitchen light", "\(answer)")
  }
}
