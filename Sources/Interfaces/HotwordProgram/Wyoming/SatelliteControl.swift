import Networking
import Platform
import Synchronization
import WyomingServer

/// The control socket of a satellite: programs read what happens, one JSON object a line, and write what to do, one word a line.
final class SatelliteControl: Sendable {
  /// The words of clients.
  enum Word: String, CaseIterable {
    case wake, mute, unmute, stop
  }

  private let clients = Mutex<[UInt64: ServedClient]>([:])

  /// Sends an event to all clients; it does not wait for them.
  func tell(_ event: JSON) {
    let bytes = Self.line(event)
    clients.withLock { clients in
      for client in clients.values { client.send(bytes) }
    }
  }

  /// Creates the server, which carries words out on `link`.
  func server(at address: ListenAddress, _ link: SatelliteLink) throws -> StreamServer {
    var limits = ServerLimits()
    limits.clients = 16
    return try StreamServer(ListeningSocket.open(address), workers: 1, limits: limits) { [self] client in
      client.keepPlace()
      // The state of now, before any change of it.
      let state: [SatelliteEvent] = [
        link.isMuted ? .muted : .unmuted, link.isConnected ? .connected : .disconnected,
      ]
      let position = link.position
      clients.withLock { clients in
        for event in state { client.send(Self.line(event.json(at: position))) }
        clients[client.number] = client
      }
      return Client(self, link, client.number)
    }
  }

  fileprivate func remove(_ number: UInt64) { clients.withLock { $0[number] = nil } }

  fileprivate static func line(_ event: JSON) -> [UInt8] { Array("\(event)\n".utf8) }
}

extension SatelliteLink {
  func perform(_ word: SatelliteControl.Word) {
    switch word {
    case .wake: press()
    case .mute: mute(true)
    case .unmute: mute(false)
    case .stop: silence()
    }
  }
}

/// One client of the control socket.
private final class Client: ClientHandler {
  /// The longest line of a client in bytes.
  private static let limit = 64

  private let control: SatelliteControl
  private let link: SatelliteLink
  private let number: UInt64
  private var line: [UInt8] = []
  private var words: [String] = []

  init(_ control: SatelliteControl, _ link: SatelliteLink, _ number: UInt64) {
    self.control = control
    self.link = link
    self.number = number
  }

  var incompleteSince: Double? { nil }
  var heldBytes: Int { line.count }

  func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        words.append(PlainText.line(String(decoding: line, as: UTF8.self), limit: Self.limit))
        line = []
      } else {
        line.append(byte)
        guard line.count <= Self.limit else { throw .tooLarge(peer: client.peer, limit: Self.limit) }
      }
    }
  }

  func work(for client: ServedClient) throws(NetworkFault) -> Bool {
    for text in words where !text.isEmpty {
      if let word = SatelliteControl.Word(rawValue: text) {
        link.perform(word)
      } else {
        let known = SatelliteControl.Word.allCases.map(\.rawValue).joined(separator: ", ")
        let fault = SatelliteEvent.error("unknown word '\(text)'; use one of \(known)")
        client.send(SatelliteControl.line(fault.json(at: link.position)))
      }
    }
    words = []
    return false
  }

  func end(_ fault: NetworkFault?) {
    control.remove(number)
    if let fault { Log.warning("a program at the control socket is disconnected: \(fault.message)") }
    // The last word may have no end of line.
    if fault == nil, let word = SatelliteControl.Word(rawValue: String(decoding: line, as: UTF8.self)) {
      link.perform(word)
    }
  }
}
