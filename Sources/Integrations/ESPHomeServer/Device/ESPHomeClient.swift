import Networking
import Platform

/// Serves one client of the device: decodes what it sends and passes it on.
public final class ESPHomeClient: ClientHandler {
  private enum Input {
    case plain(PlainFrameDecoder)
    case noise(NoiseResponder)
  }

  private let device: ESPHomeDevice
  private let channel: ESPHomeChannel
  private var input: Input
  private var state = ConnectionState(at: MonotonicClock.now())
  private var messages: [ClientMessage] = []
  private let began = MonotonicClock.now()
  private var lastReceived = MonotonicClock.now()
  /// Samples of an answer so far.
  private var samples = 0

  /// Seconds without a message after which a client has 30 more: Home Assistant pings every 20 s.
  private static let idle = 60.0
  /// The maximum size of an answer in samples: 17 minutes.
  private static let audioLimit = 16 << 20

  public init(_ device: ESPHomeDevice, _ client: ServedClient) {
    self.device = device
    channel = ESPHomeChannel(client, plays: device.plays, phrase: device.phrase)
    input = device.responder().map { .noise($0) } ?? .plain(PlainFrameDecoder())
    device.add(channel)
  }

  public var incompleteSince: Double? { state.client == nil ? began : lastReceived + Self.idle }

  public var heldBytes: Int {
    switch input {
    case .plain(let decoder): decoder.heldBytes
    case .noise(let responder): responder.heldBytes
    }
  }

  public func receive(_ bytes: ArraySlice<UInt8>, from client: ServedClient) throws(NetworkFault) {
    lastReceived = MonotonicClock.now()
    do throws(FrameViolation) {
      switch input {
      case .plain(var decoder):
        let frames = try decoder.feed(bytes)
        input = .plain(decoder)
        for frame in frames { try append(frame) }
      case .noise(var responder):
        var outputs: [NoiseResponder.Output] = []
        let violation = Self.feed(bytes, to: &responder, &outputs)
        input = .noise(responder)
        for output in outputs {
          switch output {
          case .send(let bytes): client.send(bytes)
          case .established(let cipher): channel.encrypt(with: cipher)
          case .message(let frame): try append(frame)
          }
        }
        if let violation { throw violation }
      }
    } catch {
      client.send(error.reply)
      throw .notUnderstood(peer: client.peer, reason: error.reason)
    }
  }

  private static func feed(
    _ bytes: ArraySlice<UInt8>, to responder: inout NoiseResponder, _ outputs: inout [NoiseResponder.Output]
  ) -> FrameViolation? {
    do throws(FrameViolation) {
      try responder.feed(bytes, into: &outputs)
      return nil
    } catch {
      return error
    }
  }

  private func append(_ frame: APIFrame) throws(FrameViolation) {
    do throws(ProtobufReader.Violation) {
      messages.append(try ClientMessage(frame))
    } catch {
      throw .badBody(type: frame.type)
    }
  }

  public func work(for client: ServedClient) throws(NetworkFault) -> Bool {
    let waiting = messages
    messages = []
    let now = MonotonicClock.now()
    for message in waiting {
      let steps: [ConnectionState.Step]
      do throws(ConnectionState.Violation) {
        steps = try state.take(message, at: now)
      } catch {
        throw .notUnderstood(peer: client.peer, reason: Self.reason(error))
      }
      for step in steps { try perform(step, for: client) }
    }
    return false
  }

  private static func reason(_ violation: ConnectionState.Violation) -> String {
    switch violation {
    case .noHello: "did not begin with a hello"
    case .tooMany: "sends more than \(Int(ConnectionState.rate)) messages a second"
    }
  }

  private func perform(_ step: ConnectionState.Step, for client: ServedClient) throws(NetworkFault) {
    switch step {
    case .send(let message): channel.send([message])
    case .sendInfo: channel.send([.deviceInfo(device.info)])
    case .sendEntities: channel.send(device.entities.map { .entity($0) } + [.entitiesDone])
    case .sendStates:
      channel.subscribe()
      channel.report(device.states)
    case .command(.hello(let name)):
      channel.send([.hello(name: device.info.name, program: "hotword \(device.info.version)")])
      Log.debug("\(client.peer) is \(PlainText.line(name, limit: 100))")
    case .command(.voiceAssistantAudio(let bytes)):
      samples += bytes.count / 2
      guard samples <= Self.audioLimit else {
        throw .tooLarge(peer: client.peer, limit: 2 * Self.audioLimit)
      }
      device.receive(.voiceAssistantAudio(bytes), from: channel)
    case .command(let message):
      if case .voiceAssistantEvent(let event) = message, event.kind == .ttsStreamStart { samples = 0 }
      device.receive(message, from: channel)
    case .close: client.close()
    }
  }

  public func end(_ fault: NetworkFault?) {
    if let fault {
      switch fault {
      case .notUnderstood, .tooLarge: PeerLog.warning(fault.message, from: channel.client.host)
      default: break
      }
    }
    device.remove(channel)
  }
}
