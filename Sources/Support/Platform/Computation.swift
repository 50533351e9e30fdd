import Synchronization

/// A value that another thread computes while this one goes on.
///
/// If it is not needed any more, its last owner waits until the thread has ended.
public final class Computation<Value: Sendable>: Sendable {
  private final class Outcome: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  private let outcome: Outcome
  /// Nil once it is joined.
  private let thread: Mutex<JoinableThread?>

  /// Starts `body` on a thread.
  ///
  /// - Throws: ``SystemFault/cannotStart(command:code:)`` if the system cannot create one.
  public init(_ body: @escaping @Sendable () throws -> Value) throws(SystemFault) {
    let outcome = Outcome()
    self.outcome = outcome
    thread = Mutex(
      try JoinableThread {
        let result = Result { try body() }
        outcome.result.withLock { $0 = result }
      })
  }

  deinit { thread.withLock { $0?.join() } }

  /// Waits for the value.
  ///
  /// - Throws: what `body` threw.
  public func value() throws -> Value {
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    return try outcome.result.withLock { $0! }.get()
  }
}
