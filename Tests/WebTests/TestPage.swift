import Clips
import Configuration
import Detection
import Glibc
import Networking
import Platform
import Service
import TestServers
import YAMLFormat

@testable import Web

/// The page's operations with a folder of clips of its own, in the test's process.
final class TestPage: Sendable {
  static let token = "secret"
  /// What the page's files are.
  let configuration: String
  private let signIn: String?

  let operations: WebOperations
  let store: ClipStore
  let tap: LiveTap
  private let requests: JobQueue<(String, Double)>
  let reloads: JobQueue<Bool>

  /// - Parameters:
  ///   - access: where the page is reached; nil for the loopback interface.
  ///   - signIn: the token that it asks for; nil for none.
  ///   - teaching: what it teaches with; nil for nothing.
  init(
    hasService: Bool = true, access: WebAccess? = nil, signIn: String? = nil, teaching: TeachProgram? = nil
  )
    throws
  {
    let store = ClipStore(folder: Self.temporaryFolder() + "/clips")
    var settings = ServiceSettings()
    settings.keep = store.folder
    let fixed = settings
    let tap = LiveTap(settings)
    let file = Self.temporaryFolder() + "/config.yaml"
    try Files.write(Array("volume: 50\n".utf8), to: file)
    let requests = JobQueue<(String, Double)>()
    let reloads = JobQueue<Bool>()
    self.reloads = reloads
    let service = RunningService(
      live: tap,
      health: {
        let report: JSON = [
          "status": "failing", "problems": ["the capture device has been lost"], "input": "alsa:default",
          "keywords": ["computer"], "detecting": true, "heard": 1.5, "up": 2, "version": "1",
        ]
        return (report, false)
      },
      connections: { [ServiceConnection("MQTT broker", "example:1883", isConnected: true, since: .now())] },
      reload: { reloads.append(true) },
      setSensitivity: { requests.append(($0, $1.value)) })
    self.configuration = file
    self.signIn = signIn
    self.store = store
    self.tap = tap
    self.requests = requests
    operations = try WebOperations(
      WebProgram(
        teaching: teaching, service: hasService ? service : nil, settings: { fixed },
        sentences: { _ in
          [
            "language": "en", "intents": [["name": "TurnOn", "sentences": ["turn on"]]], "cancel": [],
            "done": [],
          ]
        },
        devices: { [["name": "alsa:default", "state": "16000 Hz", "description": "a microphone"]] },
        findings: { [["check": "model", "state": "ok", "message": "fine"]] },
        check: { ("hotword.yaml", [ClipFault.noFolder("/nowhere")]) },
        configuration: { EditedFile(file) { Self.faults($0, file) } },
        voices: { ["ann", "ben"] }),
      RequestCheck(access ?? .standard, token: Self.token), try signIn.map { try SignIn($0, isSecure: true) })
  }

  /// As the checks of a configuration: a fault at its line, and one of something that the file names.
  private static func faults(_ text: [UInt8], _ file: String) -> [any Fault] {
    guard String(decoding: text, as: UTF8.self).contains("300") else { return [] }
    let position = SourcePosition(line: 1, column: 9)
    return [
      ConfigurationFault.badValue(
        key: "volume", file: file, at: position, expected: "a number from 0 to 100"),
      ClipFault.noFolder("/nowhere"),
    ]
  }

  /// The sensitivity that was requested next; nil if none was.
  var nextRequest: (model: String, sensitivity: Double)? { requests.takeIfAny().map { ($0.0, $0.1) } }

  /// The answer to a request of the page itself.
  func send(
    _ method: String, _ path: String, query: [String: String] = [:], _ body: JSON? = nil,
    headers: [String: String] = [:]
  ) -> ServedResponse {
    var all = [
      "host": "127.0.0.1:10480", "origin": "http://127.0.0.1:10480", "sec-fetch-site": "same-origin",
      "x-hotword-token": Self.token, "content-type": "application/json",
    ]
    if let signIn { all["authorization"] = "Bearer \(signIn)" }
    all.merge(headers) { $1 }
    return operations.response(
      to: ServedRequest(
        method, path, query: query, headers: all, body: body.map { Array("\($0)".utf8) } ?? []))
  }

  func json(
    _ method: String, _ path: String, query: [String: String] = [:], _ body: JSON? = nil
  ) throws -> JSON {
    try send(method, path, query: query, body).json
  }

  /// Stores clips of a tenth of a second, one for each second from 1970 on.
  func keep(_ seconds: Range<Int>, _ kind: Clip.Kind = .wake, keyword: String = "computer") throws {
    for second in seconds {
      let clip = Clip(time: ClipTime(milliseconds: second * 1_000), keyword: keyword, kind: kind, score: 0.75)
      try store.save([Int16](repeating: 1, count: 1_600), as: clip, limit: .clips(1_000_000))
    }
  }

  static func temporaryFolder() -> String {
    PythonServer.temporaryFolder("web")
  }
}

extension ServedResponse {
  var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }

  var json: JSON {
    get throws { try JSON(parsing: bytes, what: "an answer") }
  }

  var error: String? { (try? json)?["error"]?.string }
}
