import Glibc

/// A thread that runs one body and is never joined.
public enum DetachedThread {
  /// Starts `body` on a new thread.
  ///
  /// - Throws: ``SystemFault/cannotStart(command:code:)`` when the system has no thread left.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemFault) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
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
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
