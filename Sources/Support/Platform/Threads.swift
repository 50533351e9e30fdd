import Glibc

/// Runs a closure on a thread that is never joined.
public enum DetachedThread {
  /// Starts `body` on a new thread.
  ///
  /// - Parameter blocksSignals: blocks all signals in the thread.
  /// - Throws: ``SystemFault/cannotStart(command:code:)`` if the system cannot create one.
  public static func start(
    blocksSignals: Bool = false, _ body: @escaping @Sendable () -> Void
  ) throws(SystemFault) {
    _ = try createThread(isDetached: true, stackSize: nil, blocksSignals: blocksSignals, body)
  }
}

/// A thread that runs one closure. Join it exactly once.
public struct JoinableThread: Sendable {
  private let handle: pthread_t

  /// Starts `body` on a new thread with all signals blocked and a stack of 8 MiB.
  ///
  /// - Throws: ``SystemFault/cannotStart(command:code:)`` if the system cannot create one.
  public init(_ body: @escaping @Sendable () -> Void) throws(SystemFault) {
    handle = try createThread(isDetached: false, stackSize: 8 << 20, blocksSignals: true, body)
  }

  /// Waits until the closure has returned.
  public func join() { pthread_join(handle, nil) }
}

/// The result of a closure that runs on a thread of its own. Wait for it exactly once.
public final class ThreadResult<Value>: @unchecked Sendable {
  private var result: Result<Value, any Error>?
  private var thread: JoinableThread?

  /// Starts `body`.
  ///
  /// - Throws: ``SystemFault/cannotStart(command:code:)`` if the system cannot create a thread.
  public init(of body: @escaping @Sendable () throws -> Value) throws(SystemFault) {
    thread = try JoinableThread { self.result = Result { try body() } }
  }

  /// Waits until the closure has returned.
  ///
  /// - Returns: its value.
  /// - Throws: its error.
  public func wait() throws -> Value {
    thread?.join()
    return try result!.get()
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func createThread(
  isDetached: Bool, stackSize: Int?, blocksSignals: Bool, _ body: @escaping @Sendable () -> Void
) throws(SystemFault) -> pthread_t {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if isDetached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
  if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
  // A new thread inherits the blocked signals of the thread that starts it.
  var all = sigset_t()
  var previous = sigset_t()
  sigfillset(&all)
  if blocksSignals { pthread_sigmask(SIG_BLOCK, &all, &previous) }
  defer { if blocksSignals { pthread_sigmask(SIG_SETMASK, &previous, nil) } }
  let context = Unmanaged.passRetained(Body(body))
  var thread = pthread_t()
  let code = pthread_create(
    &thread, &attributes,
    { context in
      Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard code == 0 else {
    context.release()
    throw .cannotStart(command: "a thread", code: code)
  }
  return thread
}
