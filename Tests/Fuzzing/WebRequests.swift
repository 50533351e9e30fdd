import Clips
import Configuration
import Detection
import Glibc
import Networking
import Platform
import Understanding

@testable import Web

/// The page for browsers with clips, a phrase that is taught, two models and the files that it edits, in a folder below the one where the
/// fuzzing is built. Requests come as HTTP's text: `METHOD PATH?QUERY`, headers, a body.
struct WebRequests {
  static let token = "0123"
  static let clip = "20261125T120000.000Z_computer_wake_0.900.wav"
  static let take = "word_ann_0001.wav"
  /// The names of the phrase and of its models.
  static let word = "word"
  /// What is understood is small: `sentence` has the built-in intents.
  private static let intents = Array(
    """
    language: en
    intents:
      Light: {data: [{sentences: ["turn on [the] {area} light", "light"]}], slots: {area: {required: true}}}
      Stop: {data: [{sentences: ["stop [the] timer"]}]}
    lists:
      area: {values: [kitchen, hall]}
    """.utf8)
  static let settings = Array("models: [\(word)]\n".utf8)

  private let folder: String
  /// What requests may have removed.
  private let files: [(path: String, bytes: [UInt8])]
  private let cookie: String
  private var operations: WebOperations
  private var left = 0

  init() throws {
    folder = ".build/fuzz/page"
    let model = try Parser.model(hasEncoder: false).encoded
    let phrase: JSON = ["name": .string(Self.word), "phrase": .string(Self.word)]
    let table = "client_id\tpath\tsentence\tlocale\nann\t\(Self.take)\t\(Self.word)\ten\n"
    let taught = "\(folder)/phrases/\(Self.word)"
    let sound = [UInt8](repeating: 0, count: 64)
    files = [
      ("\(folder)/secret", [1]), ("\(folder)/clips/\(Self.clip)", sound),
      ("\(folder)/settings.yaml", Self.settings),
      ("\(folder)/intents.yaml", Self.intents),
      ("\(folder)/models/\(Self.word).safetensors", model),
      ("\(folder)/models/\(Self.word).safetensors.previous", model),
      ("\(taught)/model/\(Self.word).safetensors", model),
      ("\(taught)/phrase.json", Array("\(phrase)".utf8)),
      ("\(taught)/recordings/validated.tsv", Array(table.utf8)),
      ("\(taught)/recordings/clips/\(Self.take)", sound),
    ]
    let question = ServedRequest(
      "POST", "/api/sign-in", headers: ["content-type": "application/json"],
      body: Array(#"{"token":"\#(Self.token)"}"#.utf8))
    cookie = try SignIn(Self.token, isSecure: false).cookie(for: question)
    operations = try Self.operations(folder)
  }

  private static func operations(_ folder: String) throws -> WebOperations {
    var settings = ServiceSettings()
    settings.keep = "\(folder)/clips"
    settings.intents = "\(folder)/intents.yaml"
    // No recognizer is loaded for a recording.
    settings.recognizers = ["vosk:ws://127.0.0.1:1"]
    let fixed = settings
    let models = "\(folder)/models"
    let teaching = TeachProgram(
      program: "\(folder)/none", training: "\(folder)/none", folder: "\(folder)/phrases",
      store: ModelStore(folders: [models]), modelFolder: models)
    return try WebOperations(
      WebProgram(
        teaching: teaching, service: nil, settings: { fixed }, sentences: { _ in ["intents": []] },
        devices: { [] }, findings: { [] }, check: { (nil, []) },
        configuration: {
          EditedFile("\(folder)/settings.yaml") { Parser.settings(of: $0).flatMap(\.faults) }
        },
        intents: {
          EditedFile("\(folder)/intents.yaml") { IntentFile.faults(parsing: $0, name: "intents.yaml") }
        }), RequestCheck(.standard, token: token), SignIn(token, isSecure: false))
  }

  mutating func answer(_ bytes: [UInt8]) throws {
    // As many as may come at once: the next ones are for new operations.
    if left == 0 {
      operations.stopWork()
      operations = try Self.operations(folder)
      left = 100
    }
    left -= 1
    for file in files where !Files.exists(file.path) {
      try Files.createFolder(String(file.path.prefix(upTo: file.path.lastIndex(of: "/")!)), mode: 0o700)
      try Files.write(file.bytes, to: file.path)
    }
    let request = request(bytes)
    let response = operations.response(to: request)
    precondition((200..<600).contains(response.status))
    if case .bytes(let body) = response.body, response.header("Content-Type") == "application/json" {
      precondition((try? JSON(parsing: body)) != nil)
    }
    // What it has saved has another hash.
    if request.method == "PUT" { unlink("\(folder)/settings.yaml") }
    precondition(Files.exists("\(folder)/secret"), "a request has left the folders of the page")
  }

  /// A request with the headers that the page sends, unless the bytes have others.
  private func request(_ bytes: [UInt8]) -> ServedRequest {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    let first = String(decoding: lines[0], as: UTF8.self).split(separator: " ", maxSplits: 1)
    let target = (first.count > 1 ? first[1] : "").split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for pair in target.count > 1 ? target[1].split(separator: "&") : [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    var headers = [
      "host": "localhost:80", "x-hotword-token": Self.token, "content-type": "application/json",
      "cookie": cookie,
    ]
    var body: [UInt8] = []
    for (index, line) in lines.dropFirst().enumerated() {
      guard !line.isEmpty else {
        body = Array(lines.dropFirst(index + 2).joined(separator: [10]))
        break
      }
      let parts = String(decoding: line, as: UTF8.self).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    return ServedRequest(
      first.first.map(String.init) ?? "", target.first.map(String.init) ?? "", query: query, headers: headers,
      body: body,
      isTooLarge: body.count > 10_000)
  }
}
