import CALSA
import Glibc
import Platform
import Synchronization

/// A thread that fills a ``SampleRing``, and the read operation that waits for its samples.
///
/// It requests real-time scheduling and locked memory and continues without them if the system rejects that. The thread
/// and its reader share no lock.
package final class CaptureThread: Sendable {
  /// The queue; this thread is its producer, the caller of ``read(into:)`` its consumer.
  package let ring: SampleRing
  private let news: Int32
  private let stopping = Atomic<Bool>(false)
  private let hasEnded = Atomic<Bool>(false)
  /// Sent when the thread has ended.
  private let end: ThreadSignal

  /// SCHED_FIFO priority: above ordinary programs, below the kernel's own threads and audio servers.
  private static let priority: Int32 = 10
  /// Seconds that ``stop()`` waits for a thread that is blocked in a device.
  private static let stopTimeout = 2.0
  private static let warned = Atomic<Bool>(false)

  /// - Parameter ringCapacity: samples, a power of two; 2¹⁸ are 16 s.
  package init(ringCapacity: Int = 1 << 18) throws(CaptureFault) {
    news = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard news >= 0 else { throw .cannotStart(code: errno) }
    ring = SampleRing(capacity: ringCapacity)
    do {
      end = try ThreadSignal()
    } catch {
      close(news)
      throw .cannotStart(code: errno)
    }
  }

  deinit { close(news) }

  /// Whether the thread should end; it must check at least every 100 ms.
  package var isStopping: Bool {
    @_noAllocation @_noLocks get { stopping.load(ordering: .relaxed) }
  }

  /// Wakes the reader. Real-time safe.
  @_noAllocation @_noLocks
  package func signal() { hotword_signal(news) }

  /// Runs `body` on the new thread; the ring is finished when it returns.
  package func start(
    name: String, realTime: Bool, _ body: @escaping @Sendable (CaptureThread) -> Void
  ) throws(CaptureFault) {
    let job = Job(thread: self, name: name, realTime: realTime, body: body)
    do {
      try DetachedThread.start(blocksSignals: true) { job.run() }
    } catch .cannotStart(_, let code) {
      throw .cannotStart(code: code)
    } catch {
      throw .cannotStart(code: EAGAIN)
    }
  }

  /// Stops the thread and waits up to two seconds for its end.
  package func stop() {
    stopping.store(true, ordering: .relaxed)
    let deadline = MonotonicClock.now() + Self.stopTimeout
    while !hasEnded.load(ordering: .acquiring), MonotonicClock.now() < deadline { end.wait(until: deadline) }
  }

  /// Seconds without samples or events after which a read returns without samples.
  package static let readTimeout = 1.0

  /// Waits up to a second for samples, an event or the end; see ``AudioSource/read(into:)``.
  package func read(into frame: UnsafeMutableBufferPointer<Int16>) -> AudioRead {
    var result = AudioRead()
    let began = MonotonicClock.now()
    while result.count < frame.count {
      // Marks are taken before the first sample only; later ones are for the next read.
      let step = ring.read(
        into: frame.baseAddress! + result.count, capacity: frame.count - result.count,
        takesMarks: result.count == 0)
      result.count += step.count
      result.gap += step.gap
      result.events.append(step.events)
      result.isEnd = step.isEnd
      if step.isEnd || step.atMark && result.count > 0 { return result }
      if result.events.contains(.lost) && result.count == 0 { return result }
      if step.count == 0, !ring.hasNews {
        if MonotonicClock.now() - began >= Self.readTimeout { return result }
        wait()
      }
    }
    return result
  }

  private func wait() {
    var polled = pollfd(fd: news, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, 500)
    var count: UInt64 = 0
    _ = Glibc.read(news, &count, 8)
  }

  private final class Job: Sendable {
    let thread: CaptureThread
    let name: String
    let realTime: Bool
    let body: @Sendable (CaptureThread) -> Void

    init(
      thread: CaptureThread, name: String, realTime: Bool, body: @escaping @Sendable (CaptureThread) -> Void
    ) {
      self.thread = thread
      self.name = name
      self.realTime = realTime
      self.body = body
    }

    func run() {
      hotword_name_thread(name)
      if realTime { Self.askForRealTime() }
      body(thread)
      thread.ring.finish()
      thread.signal()
      thread.hasEnded.store(true, ordering: .releasing)
      thread.end.send()
    }

    private static func askForRealTime() {
      var parameters = sched_param()
      parameters.sched_priority = CaptureThread.priority
      let scheduled = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
      // On fault: what is not touched is not brought in either.
      let locked = mlockall(Int32(MCL_CURRENT | MCL_ONFAULT)) == 0
      guard scheduled != 0 || !locked else { return }
      guard !CaptureThread.warned.exchange(true, ordering: .relaxed) else { return }
      let what = scheduled != 0 ? "real-time scheduling" : "locked memory"
      Log.warning(
        "\(what) is not allowed here; audio may be lost under load (raise LimitRTPRIO and LimitMEMLOCK)"
      )
    }
  }
}
