import PCM
import Platform

/// A file or pipe played as if it were live: 10 ms each 10 ms, by a thread and a ring like a microphone's.
///
/// A pipe that is late is not hurried after: the pace begins anew. Nothing is lost unless the reader falls
/// 16 s behind.
public final class PacedSource: AudioSource {
  private let thread: CaptureThread
  private let player: Player

  /// Plays `inner`, which nobody else may read from now on.
  public init(_ inner: any AudioSource) throws(CaptureFault) {
    let player = Player(inner)
    self.player = player
    thread = try CaptureThread()
    try thread.start(name: "paced", realTime: false) { player.play(to: $0) }
  }

  deinit { close() }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    let result = thread.read(into: frame)
    if result.isEnd, let failure = player.failure {
      guard result.count > 0 else { throw failure }
      return AudioRead(count: result.count, gap: result.gap, events: result.events)
    }
    return result
  }

  /// Stops playing; what has been played can still be read, then the end comes. Any thread may call it.
  public func close() {
    player.close()
    thread.stop()
  }

  /// The playing thread's own.
  private final class Player: @unchecked Sendable {
    private let inner: any AudioSource
    /// Written before the ring is finished, read after its end has been seen.
    private(set) var failure: CaptureFault?

    private static let period = Double(AudioFormat.frameLength) / Double(AudioFormat.sampleRate)
    /// Seconds behind its pace at which it begins anew.
    private static let mostLateness = 0.2

    init(_ inner: any AudioSource) { self.inner = inner }

    func close() { inner.close() }

    func play(to thread: CaptureThread) {
      let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
      defer { frame.deallocate() }
      var deadline = MonotonicClock.now()
      while !thread.isStopping {
        let step: AudioRead
        do {
          step = try inner.read(into: frame)
        } catch {
          failure = error
          return
        }
        // A microphone gives 10 ms when they are over, not when they begin.
        deadline += Self.period
        let now = MonotonicClock.now()
        if now > deadline + Self.mostLateness { deadline = now }
        if step.count > 0 { MonotonicClock.sleep(until: deadline) }
        if step.gap > 0 || !step.events.isEmpty { thread.ring.mark(gap: step.gap, events: step.events) }
        thread.ring.write(frame.baseAddress!, count: step.count)
        thread.signal()
        if step.isEnd { return }
      }
    }
  }
}
