import CommandLineParsing
import Configuration
import Platform
import Service
import Synchronization
import Web
import WyomingServer

/// The page for browsers of `serve`: its clients, and what they say as a time line.
final class ServerPage: Sendable {
  private struct Client: Sendable {
    let peer: String
    let since: WallTime
    var models: [String] = []
  }

  private let access: WebAccess
  private let settings: ServiceSettings
  private let live: LiveTap
  private let clients = Mutex<[UInt64: Client]>([:])
  private let began = MonotonicClock.now()

  /// nil without `--web`.
  init?(_ arguments: Arguments, models: [String]) throws {
    var access = WebAccess()
    try access.take(arguments)
    if let fault = access.fault { throw fault }
    if access.endpoint == nil { return nil }
    self.access = access
    var settings = ServiceSettings()
    settings.models = models
    settings.recognizers = arguments.all("--recognizer")
    settings.handlers = arguments.all("--handler")
    settings.intents = arguments.value("--intents")
    self.settings = settings
    live = LiveTap(settings)
  }

  /// Follows a client; it does not wait.
  func note(_ event: ServerEvent) {
    clients.withLock { clients in
      switch event.kind {
      case .connected: clients[event.client] = Client(peer: event.peer, since: .now())
      case .disconnected: clients[event.client] = nil
      case .models(let names): clients[event.client]?.models = names
      case .wake, .transcript, .answer: break
      }
    }
    if let json = event.json(at: MonotonicClock.now() - began) { live.note(json) }
  }

  /// Serves the page.
  ///
  /// - Parameter understands: whether the intents are those of a file.
  func serve(understands: Bool) throws -> WebServer {
    let service = RunningService(
      live: live, hasStream: false, health: { [self] in (health, true) },
      connections: { [self] in connections }, setSensitivity: { _, _ in })
    let settings = settings
    return try WebPage.serve(
      access, service, views: understands ? [.live, .understand, .state] : [.live, .state],
      isOfService: false, settings: { settings }, load: { _ in LoadedSettings(settings) })
  }

  private var health: JSON {
    [
      "status": "ok", "problems": [], "input": "the clients' audio",
      "keywords": .array(settings.models.map { .string($0) }), "detecting": true, "heard": .null,
      "up": .rounded(MonotonicClock.now() - began, digits: 2), "version": .string("\(Version.text)"),
    ]
  }

  private var connections: [ServiceConnection] {
    clients.withLock { clients in
      clients.sorted { $0.key < $1.key }.map { _, client in
        let models = client.models.joined(separator: ", ")
        return ServiceConnection(
          "Wyoming client", client.peer, isConnected: true, since: client.since,
          detail: models.isEmpty ? "" : "listens for \(models)")
      }
    }
  }
}
