// Only tests use this file. The static Swift library, with which the programs are built, does not contain Testing.
#if canImport(Testing)
  import Glibc
  import Platform
  import Synchronization
  import Testing

  /// Runs each test of a suite on a thread of its own, and ends the process when a test takes too long.
  ///
  /// Swift Testing runs tests on a pool of one thread per processor. Most of our tests wait for another process and block these threads, so that the
  /// processors are idle, and the time limit of Swift Testing counts the time until a test gets a thread: with 70 tests
  /// of 2 s on two processors, `.timeLimit(.minutes(1))` fails for tests that took 2 s. This limit begins when the test does.
  public struct TimeLimit: SuiteTrait, TestTrait {
    @TaskLocal private static var current: TestThread?

    let seconds: Double

    public var isRecursive: Bool { true }
  }

  // Swift 6.0 has no scopes: its tests run on the pool, without a limit.
  #if compiler(>=6.1)
    extension TimeLimit: TestScoping {
      public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
      ) async throws {
        if let thread = Self.current {
          // The limit of a test inside a suite with a limit.
          thread.expect(test.name, toEndWithin: seconds)
          return try await function()
        }
        let thread = await TestThreads.shared.take()
        defer { TestThreads.shared.put(back: thread) }
        try await Self.$current.withValue(thread) {
          try await withTaskExecutorPreference(thread) {
            thread.expect(test.name, toEndWithin: seconds)
            defer { thread.expectNothing() }
            try await function()
          }
        }
      }
    }
  #endif

  extension Trait where Self == TimeLimit {
    /// A limit of five minutes for each test: far more than any needs, on a busy machine or with a sanitizer too.
    public static var limited: Self { TimeLimit(seconds: 300) }

    public static func limited(minutes: Double) -> Self { TimeLimit(seconds: 60 * minutes) }
  }

  /// A thread that runs one test at a time.
  private final class TestThread: TaskExecutor {
    private let jobs = JobQueue<UnownedJob>()
    private let running = Mutex<(name: String, deadline: Double, seconds: Double)?>(nil)

    init() throws {
      try DetachedThread.start { [self] in
        while true { jobs.take().runSynchronously(on: asUnownedTaskExecutor()) }
      }
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    func expect(_ name: String, toEndWithin seconds: Double) {
      running.withLock { $0 = (name, MonotonicClock.now() + seconds, seconds) }
    }

    func expectNothing() { running.withLock { $0 = nil } }

    /// The message about a test that takes too long.
    var overrun: String? {
      running.withLock { test in
        guard let test, MonotonicClock.now() > test.deadline else { return nil }
        return
          "✘ Test \(test.name) exceeded its time limit of \(test.seconds / 60) minutes; the test process ends."
      }
    }
  }

  /// As many threads as tests run at once.
  private final class TestThreads: Sendable {
    static let shared = TestThreads()

    private struct State {
      var free: [TestThread]
      var waiting: [CheckedContinuation<TestThread, Never>] = []
    }

    private let state: Mutex<State>

    private init() {
      let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
      let count = getenv("HOTWORD_TEST_THREADS").flatMap { Int(String(cString: $0)) } ?? 3 * processors
      let threads: [TestThread]
      do {
        threads = try (0..<max(1, count)).map { _ in try TestThread() }
        try DetachedThread.start {
          while true {
            // A thread that is blocked cannot be interrupted, so the process ends. Nothing signals that time has passed: sleep.
            MonotonicClock.sleep(until: MonotonicClock.now() + 1)
            guard let message = threads.compactMap(\.overrun).first else { continue }
            print(message)
            fflush(nil)
            _exit(1)
          }
        }
      } catch {
        fatalError("\(error)")
      }
      state = Mutex(State(free: threads))
    }

    /// A thread that no test uses, waited for.
    func take() async -> TestThread {
      await withCheckedContinuation { continuation in
        let thread = state.withLock { state in
          let thread = state.free.popLast()
          if thread == nil { state.waiting.append(continuation) }
          return thread
        }
        if let thread { continuation.resume(returning: thread) }
      }
    }

    func put(back thread: TestThread) {
      let next = state.withLock { state in
        if state.waiting.isEmpty {
          state.free.append(thread)
          return nil as CheckedContinuation<TestThread, Never>?
        }
        return state.waiting.removeFirst()
      }
      next?.resume(returning: thread)
    }
  }
#endif
