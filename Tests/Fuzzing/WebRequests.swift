import Clips
import Configuration
import Networking
import Platform

@testable import Web

/// The page for browsers with a folder of clips, below the one where the fuzzing is built. Requests come as HTTP's text: `METHOD PATH?QUERY`, headers, a body.
struct WebRequests {
  static let token = "0123"
  private static let clip = "20261125T120000.000Z_computer_wake_0.900.wav"

  private let folder = ".build/fuzz/page"
  private var operations: WebOperations
  private var left = 0

  init() throws {
    operations = try Self.operations(folder)
    try Files.createFolder(folder, mode: 0o700)
    try Files.write([1], to: "\(folder)/secret")
  }

  private static func operations(_ folder: String) throws -> WebOperations {
    var settings = ServiceSettings()
    settings.keep = "\(folder)/clips"
    let fixed = settings
    return try WebOperations(
      WebProgram(
        service: nil, settings: { fixed }, sentences: { _ in ["intents": []] }, devices: { [] },
        findings: { [] },
        check: { (nil, []) }), RequestCheck(.standard, token: token), nil)
  }

  mutating func answer(_ bytes: [UInt8]) throws {
    // As many as may come at once: the next ones are for new operations.
    if left == 0 {
      operations = try Self.operations(folder)
      left = 100
    }
    left -= 1
    let clip = "\(folder)/clips/\(Self.clip)"
    if !Files.exists(clip) {
      try Files.createFolder("\(folder)/clips", mode: 0o700)
      try Files.write([UInt8](repeating: 0, count: 64), to: clip)
    }
    let response = operations.response(to: Self.request(bytes))
    precondition((200..<600).contains(response.status))
    if case .bytes(let body) = response.body, response.header("Content-Type") == "application/json" {
      precondition((try? JSON(parsing: body)) != nil)
    }
    precondition(Files.exists("\(folder)/secret"), "a request has left the folder of the clips")
  }

  /// A request with the headers that the page sends, unless the bytes have others.
  static func request(_ bytes: [UInt8]) -> ServedRequest {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    let first = String(decoding: lines[0], as: UTF8.self).split(separator: " ", maxSplits: 1)
    let target = (first.count > 1 ? first[1] : "").split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for pair in target.count > 1 ? target[1].split(separator: "&") : [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    var headers = ["host": "localhost:80", "x-hotword-token": token, "content-type": "application/json"]
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
