import Networking
import Platform

/// Serves one client of a satellite. Any client may send `describe` and `ping`; the first one that sends other events owns
/// the satellite, and the connections of others are closed.
public final class SatelliteClient: ClientHandler {
  private let link: SatelliteLink
  private let info: [UInt8]
  private var inbox = WyomingInbox()
  /// The audio to play, while it arrives.
  private var audio: (bytes: [UInt8], shape: AudioShape)?
  private weak var client: ServedClient?

  /// The maximum size of audio to play in bytes.
  private static let audioLimit = 32 << 20

  /// - Parameter info: the answer to `describe`, encoded.
  public init(_ link: SatelliteLink, info: [UInt8]) {
    self.link = link
    self.info = info
  }

  public var incompleteSince: Double? { inbox.incompleteSince }
  public var heldBytes: Int { inbox.heldBytes + (audio?.bytes.count ?? 0) }

  public func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault) {
    self.client = client
    try inbox.receive(bytes, from: client.peer)
  }

  public func work(for client: ServedClient) throws(NetworkFault) -> Bool {
    for event in inbox.events {
      switch event.type {
      case "describe": client.send(info)
      case "ping":
        client.send(WyomingEvent("pong", [JSON.Member("text", event["text"] ?? .null)]).encoded())
        if link.isOwned(by: client) { link.handle(.received(event)) }
      default:
        guard link.claim(by: client) else {
          client.close()
          break
        }
        try receive(event, from: client)
      }
    }
    inbox.events = []
    return false
  }

  public func end(_ fault: NetworkFault?) {
    guard let client else { return }
    if case .notUnderstood? = fault { PeerLog.warning(fault!.message, from: client.host) }
    link.release(client)
  }

  private func receive(_ event: WyomingEvent, from client: ServedClient) throws(NetworkFault) {
    switch event.type {
    case "audio-start": audio = AudioShape(event, or: .standard).map { ([], $0) }
    case "audio-chunk":
      guard let shape = AudioShape(event, or: audio?.shape ?? .standard) else { return }
      if audio == nil || audio!.bytes.isEmpty && audio!.shape != shape { audio = ([], shape) }
      guard audio!.bytes.count + event.payload.count <= Self.audioLimit else {
        throw .tooLarge(peer: client.peer, limit: Self.audioLimit)
      }
      audio!.bytes += event.payload
    case "audio-stop":
      if let audio { link.handle(.audio(audio.bytes, audio.shape)) }
      audio = nil
    default: link.handle(.received(event))
    }
  }
}
