import CommandLineParsing
import Configuration
import Networking
import Platform
import Supervision
import WyomingServer

/// The pages `/metrics` and `/health` of `serve`.
final class ServerStatus: Sendable {
  private let address: HTTPAddress
  private let began = MonotonicClock.now()
  private let clients = Counter()
  private let transcripts = Counter()
  private let wakes: [(name: String, counter: Counter)]

  /// nil without `--metrics`.
  init?(_ arguments: Arguments, models: [String]) throws {
    guard let address = try arguments.metricsAddress() else { return nil }
    self.address = address
    wakes = models.map { ($0, Counter()) }
  }

  /// Counts an event; it does not wait.
  func note(_ event: ServerEvent) {
    switch event.kind {
    case .connected: clients.add()
    case .disconnected: clients.add(-1)
    case .wake(_, let model, _): wakes.first { $0.name == model }?.counter.add()
    case .transcript: transcripts.add()
    case .models, .answer: break
    }
  }

  /// Serves the pages as long as the result lives.
  func serve(_ server: StreamServer) throws -> StatusServer {
    try StatusServer.start(at: address) { [self] path in
      switch path {
      case "/metrics": StatusServer.Page(type: Exposition.mediaType, text: metrics)
      case "/health": health(server)
      default: nil
      }
    }
  }

  /// Well if a client of its own gets the answer to `describe`.
  private func health(_ server: StreamServer) -> StatusServer.Page {
    let problem = server.problem(answering: WyomingEvent("describe").encoded())
    let report: JSON = [
      "status": problem == nil ? "ok" : "failing", "problems": problem.map { [.string($0)] } ?? [],
      "keywords": .array(wakes.map { .string($0.name) }), "clients": .number(Double(clients.value)),
      "up": .rounded(MonotonicClock.now() - began, digits: 2), "version": .string("\(Version.text)"),
    ]
    return StatusServer.Page(
      status: problem == nil ? 200 : 503, type: "application/json", text: "\(report)\n")
  }

  private var metrics: String {
    var page = Exposition()
    page.add(
      .gauge, "hotword_build_info", "The program's version.", [.init(1, ("version", "\(Version.text)"))])
    page.add(.gauge, "hotword_up_seconds", "Time since the start.", MonotonicClock.now() - began)
    page.add(.gauge, "hotword_clients", "Clients that are connected.", Double(clients.value))
    page.add(
      .counter, "hotword_wakes_total", "Hotwords that were reported to clients.",
      wakes.map { .init(Double($0.counter.value), ("keyword", $0.name)) })
    page.add(.counter, "hotword_transcripts_total", "Transcribed commands.", Double(transcripts.value))
    ProcessFigures.now().add(to: &page)
    return page.text
  }
}
