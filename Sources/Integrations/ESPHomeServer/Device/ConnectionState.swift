/// The state of one connection: what a client may send, and how often.
///
/// A state machine without I/O. A client says hello first; until then it may only ping and disconnect.
struct ConnectionState: Sendable {
  enum Step: Sendable, Equatable {
    case send(ServerMessage)
    case sendInfo
    case sendEntities
    case sendStates
    /// For the device.
    case command(ClientMessage)
    /// End the connection once what was sent is read.
    case close
  }

  enum Violation: Error, Equatable, Sendable {
    /// Something else came before the hello.
    case noHello
    case tooMany
  }

  /// Messages at once, and a second after that: an answer has 32 a second.
  static let burst = 2_000.0
  static let rate = 200.0

  private(set) var client: String?
  /// Whether it is sent the states of entities.
  private(set) var isSubscribed = false
  private var credit = ConnectionState.burst
  private var updated: Double

  /// - Parameter now: seconds of any clock that goes forward.
  init(at now: Double) { updated = now }

  mutating func take(_ message: ClientMessage, at now: Double) throws(Violation) -> [Step] {
    credit = min(Self.burst, credit + max(0, now - updated) * Self.rate)
    updated = now
    guard credit >= 1 else { throw .tooMany }
    credit -= 1
    switch message {
    case .hello(let name):
      client = name
      // The name and the program are the device's, which fills them in.
      return [.command(message)]
    case .pingRequest: return [.send(.pingResponse)]
    case .disconnectRequest: return [.send(.disconnectResponse), .close]
    case .disconnectResponse: return [.close]
    case .pingResponse: return []
    default: break
    }
    guard client != nil else { throw .noHello }
    switch message {
    case .authentication: return [.send(.authenticated)]
    case .deviceInfoRequest: return [.sendInfo]
    case .listEntitiesRequest: return [.sendEntities]
    case .subscribeStates:
      isSubscribed = true
      return [.sendStates]
    case .encryptionSetKey: return [.send(.encryptionSetKey(isSuccess: false))]
    case .other: return []
    default: return [.command(message)]
    }
  }
}
