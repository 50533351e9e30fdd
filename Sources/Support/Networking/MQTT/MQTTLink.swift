import Platform
import Synchronization

/// A permanent connection to a broker: it reconnects after every loss and keeps what is published meanwhile.
///
/// It runs on a thread of its own. After a loss it waits one second, then twice as long each time up to 30 s, with 20 % of
/// random variation, so that not all clients of a restarted broker return at once.
public final class MQTTLink: Sendable {
  public enum Event: Sendable, Equatable {
    case connected
    /// The connection was lost, or could not be made; reported once until it is made again.
    case lost(NetworkFault)
    case received(MQTTMessage)
    /// A message was too large, and was dropped.
    case tooLarge(topic: String, bytes: Int)
  }

  /// The maximum number of messages that wait for the broker; further ones are dropped.
  public static let limit = 1_000
  private static let waits: ClosedRange<Double> = 1...30

  private let client: MQTTClient
  private let status: String
  private let topics: [String]
  private let waiting = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  /// Whether `offline` was published; `online` must not follow it.
  private let isLeaving = Mutex(false)
  /// Tells ``close(within:)`` that a message was delivered or the thread has ended.
  private let progress: ThreadSignal
  /// Tells the thread that the link is closed.
  private let closing: ThreadSignal

  /// - Parameters:
  ///   - status: the topic of the retained messages `online`, while connected, and `offline`, the last will.
  ///   - topics: the topics to subscribe to.
  public init(_ broker: MQTTBroker, status: String, topics: [String]) throws(NetworkFault) {
    client = try MQTTClient(broker, will: (status, "offline"))
    do {
      progress = try ThreadSignal()
      closing = try ThreadSignal()
    } catch {
      throw .system(error)
    }
    self.status = status
    self.topics = topics
  }

  /// Starts the thread that connects and reconnects.
  ///
  /// - Parameter handle: called on that thread.
  public func start(_ handle: @escaping @Sendable (Event) -> Void) throws(SystemFault) {
    try DetachedThread.start { [self] in
      var wait = Self.waits.lowerBound
      var random = SystemRandomNumberGenerator()
      var isReported = false
      while !isClosed.load(ordering: .relaxed) {
        let fault = runConnection {
          if $0 == .connected {
            wait = Self.waits.lowerBound
            isReported = false
          }
          handle($0)
        }
        if !isReported, fault != .cancelled { handle(.lost(fault)) }
        isReported = true
        pause(wait * Double.random(in: 0.8...1.2, using: &random))
        wait = min(2 * wait, Self.waits.upperBound)
      }
      client.disconnect()
      isOver.store(true, ordering: .relaxed)
      progress.send()
    }
  }

  /// Publishes a message as soon as there is a connection. Does not wait; any thread may call it.
  ///
  /// - Returns: false if the message is dropped because too many are waiting, or it cannot be sent.
  @discardableResult
  public func publish(_ message: MQTTMessage) -> Bool {
    guard waiting.load(ordering: .relaxed) < Self.limit else { return false }
    waiting.add(1, ordering: .relaxed)
    if client.publish(message) { return true }
    waiting.subtract(1, ordering: .relaxed)
    return false
  }

  /// Delivers the waiting messages and disconnects, within `seconds`.
  public func close(within seconds: Double) {
    isLeaving.withLock {
      $0 = true
      _ = publish(MQTTMessage(status, Array("offline".utf8), isRetained: true))
    }
    let deadline = MonotonicClock.now() + seconds
    func wait(_ isDone: () -> Bool) {
      while !isDone(), MonotonicClock.now() < deadline { progress.wait(until: deadline) }
    }
    wait { waiting.load(ordering: .relaxed) == 0 }
    isClosed.store(true, ordering: .relaxed)
    closing.send()
    wait { isOver.load(ordering: .relaxed) }
  }

  /// Runs one connection and returns the fault that ended it.
  private func runConnection(_ handle: (Event) -> Void) -> NetworkFault {
    do throws(NetworkFault) {
      try client.connect()
      while !isClosed.load(ordering: .relaxed) {
        for event in try client.turn(milliseconds: MQTTBroker.turn) {
          switch event {
          case .accepted:
            for topic in topics { try client.subscribe(to: topic) }
            isLeaving.withLock {
              if !$0 { _ = publish(MQTTMessage(status, Array("online".utf8), isRetained: true)) }
            }
            handle(.connected)
          case .refused(let fault): return fault
          case .published:
            waiting.subtract(1, ordering: .relaxed)
            progress.send()
          case .received(let message): handle(.received(message))
          case .tooLarge(let topic, let bytes): handle(.tooLarge(topic: topic, bytes: bytes))
          }
        }
      }
      return .cancelled
    } catch {
      return error
    }
  }

  private func pause(_ seconds: Double) {
    guard !isClosed.load(ordering: .relaxed) else { return }
    closing.wait(until: MonotonicClock.now() + seconds)
  }
}
