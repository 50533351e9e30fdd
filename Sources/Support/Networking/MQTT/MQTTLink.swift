import Platform
import Synchronization

/// A lasting connection to a broker: comes back after every break, and loses nothing that was published meanwhile.
///
/// It runs on a thread of its own. After a break it waits one second, then twice as long each time up to half a
/// minute, a fifth more or less at random, so that a broker that was restarted is not stormed.
public final class MQTTLink: Sendable {
  public enum Event: Sendable, Equatable {
    case connected
    /// The connection broke, or does not come about; told once until it does.
    case lost(NetworkFault)
    case received(MQTTMessage)
  }

  /// The most messages that wait for the broker; what is published beyond is dropped.
  public static let limit = 1_000
  private static let waits: ClosedRange<Double> = 1...30

  private let client: MQTTClient
  private let status: String
  private let topics: [String]
  private let waiting = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)

  /// - Parameters:
  ///   - status: where `online` is kept while there is a connection, and `offline` (the last will) when it broke.
  ///   - topics: whose messages are heard.
  public init(_ broker: MQTTBroker, status: String, topics: [String]) throws(NetworkFault) {
    client = try MQTTClient(broker, will: (status, "offline"))
    self.status = status
    self.topics = topics
  }

  /// Connects, and goes on doing so.
  ///
  /// - Parameter handle: called on the link's thread.
  public func start(_ handle: @escaping @Sendable (Event) -> Void) throws(SystemFault) {
    try DetachedThread.start { [self] in
      var wait = Self.waits.lowerBound
      var random = SystemRandomNumberGenerator()
      var isTold = false
      while !isClosed.load(ordering: .relaxed) {
        let fault = stay {
          if $0 == .connected {
            wait = Self.waits.lowerBound
            isTold = false
          }
          handle($0)
        }
        if !isTold, fault != .cancelled { handle(.lost(fault)) }
        isTold = true
        pause(wait * Double.random(in: 0.8...1.2, using: &random))
        wait = min(2 * wait, Self.waits.upperBound)
      }
      client.disconnect()
      isOver.store(true, ordering: .relaxed)
    }
  }

  /// Publishes, at once or as soon as there is a connection. Any thread may call it; it does not wait.
  ///
  /// - Returns: false where too many messages wait already, and this one is dropped.
  @discardableResult
  public func publish(_ message: MQTTMessage) -> Bool {
    guard waiting.load(ordering: .relaxed) < Self.limit else { return false }
    waiting.add(1, ordering: .relaxed)
    client.publish(message)
    return true
  }

  /// Ends the connection in order, once what waits is delivered, within `seconds`.
  public func close(within seconds: Double) {
    publish(MQTTMessage(status, Array("offline".utf8), isRetained: true))
    let deadline = MonotonicClock.now() + seconds
    func wait(_ isDone: () -> Bool) {
      while !isDone(), MonotonicClock.now() < deadline {
        MonotonicClock.sleep(until: MonotonicClock.now() + 0.01)
      }
    }
    wait { waiting.load(ordering: .relaxed) == 0 }
    isClosed.store(true, ordering: .relaxed)
    wait { isOver.load(ordering: .relaxed) }
  }

  /// Connects and stays so; returns what ended it.
  private func stay(_ handle: (Event) -> Void) -> NetworkFault {
    do throws(NetworkFault) {
      try client.connect()
      while !isClosed.load(ordering: .relaxed) {
        for event in try client.turn(milliseconds: MQTTBroker.turn) {
          switch event {
          case .accepted:
            for topic in topics { try client.subscribe(to: topic) }
            publish(MQTTMessage(status, Array("online".utf8), isRetained: true))
            handle(.connected)
          case .refused(let fault): return fault
          case .published: waiting.subtract(1, ordering: .relaxed)
          case .received(let message): handle(.received(message))
          }
        }
      }
      return .cancelled
    } catch {
      return error
    }
  }

  private func pause(_ seconds: Double) {
    let deadline = MonotonicClock.now() + seconds
    while !isClosed.load(ordering: .relaxed), MonotonicClock.now() < deadline {
      MonotonicClock.sleep(until: min(deadline, MonotonicClock.now() + 0.1))
    }
  }
}
