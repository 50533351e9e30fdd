import Networking
import PCM
import Platform

/// Serves one client of a satellite. Any client may send `describe` and `ping`; the first one that sends other events owns
/// the satellite, and the connections of others are closed.
public final class SatelliteClient: ClientHandler {
  private let link: SatelliteLink
  private let info: [UInt8]
  private var inbox = WyomingInbox()
  /// Converts the audio to play, while it arrives.
  private var audio: ChunkConverter?
  /// Samples of it so far.
  private var samples = 0
  private var owner: WyomingOwner?

  /// The maximum size of audio to play in bytes, after conversion: 17 minutes.
  private static let audioLimit = 32 << 20

  /// - Parameter info: the answer to `describe`, encoded.
  public init(_ link: SatelliteLink, info: [UInt8]) {
    self.link = link
    self.info = info
  }

  public var incompleteSince: Double? { inbox.incompleteSince }
  public var heldBytes: Int { inbox.heldBytes + (audio == nil ? 0 : 2 * samples) }

  public func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault) {
    if owner == nil { owner = WyomingOwner(client) }
    try inbox.receive(bytes, from: client.peer)
  }

  public func work(for client: ServedClient) throws(NetworkFault) -> Bool {
    guard let owner else { return false }
    for event in inbox.events {
      switch event.type {
      case "describe": client.send(info)
      case "ping":
        client.send(WyomingEvent("pong", [JSON.Member("text", event["text"] ?? .null)]).encoded())
        if link.isOwned(by: owner) { link.handle(.received(event)) }
      default:
        guard link.claim(by: owner) else {
          client.close()
          break
        }
        client.keepPlace()
        try receive(event, from: client)
      }
    }
    inbox.events = []
    return false
  }

  public func end(_ fault: NetworkFault?) {
    guard let owner else { return }
    // The audio that plays may already be another owner's.
    if link.isOwned(by: owner) { endAudio() }
    if case .notUnderstood? = fault { PeerLog.warning(fault!.message, from: owner.client.host) }
    link.release(owner)
  }

  private func receive(_ event: WyomingEvent, from client: ServedClient) throws(NetworkFault) {
    switch event.type {
    case "audio-start":
      endAudio()
      if let shape = AudioShape(event, or: .standard) { startAudio(shape) }
    case "audio-chunk":
      guard let shape = AudioShape(event, or: audio?.shape ?? .standard) else { return }
      if audio?.shape != shape { startAudio(shape) }
      try play(event.payload, from: client)
    case "audio-stop": endAudio()
    default: link.handle(.received(event))
    }
  }

  /// Starts audio, or continues it in another format.
  private func startAudio(_ shape: AudioShape) {
    if let audio {
      audio.finish { link.play(Array($0)) }
    } else {
      samples = 0
      link.handle(.audioStarted)
    }
    audio = ChunkConverter(shape)
  }

  private func play(_ bytes: [UInt8], from client: ServedClient) throws(NetworkFault) {
    var converted: [Int16] = []
    audio?.push(bytes[...]) { converted += $0 }
    samples += converted.count
    guard 2 * samples <= Self.audioLimit else {
      throw .tooLarge(peer: client.peer, limit: Self.audioLimit)
    }
    link.play(converted)
  }

  private func endAudio() {
    guard let audio else { return }
    audio.finish { link.play(Array($0)) }
    link.endAudio()
    self.audio = nil
  }
}

/// Home Assistant by the Wyoming protocol.
private final class WyomingOwner: SatelliteOwner {
  let client: ServedClient

  init(_ client: ServedClient) { self.client = client }

  var peer: String { client.peer }

  func send(_ event: WyomingEvent) { client.send(event.encoded()) }

  func send(_ samples: [Int16], at milliseconds: Int) {
    let event = WyomingEvent(
      "audio-chunk",
      [
        JSON.Member("rate", .number(Double(AudioFormat.sampleRate))), JSON.Member("width", 2),
        JSON.Member("channels", 1), JSON.Member("timestamp", .number(Double(milliseconds))),
      ],
      payload: samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    client.send(event.encoded())
  }

  /// Wyoming has no event for that: without the connection Home Assistant carries out nothing, and connects again.
  func withdraw() { close() }

  func close() { client.close() }
}
