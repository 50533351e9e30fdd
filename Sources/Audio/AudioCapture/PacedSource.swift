import PCM
import Platform

/// A file or pipe read in real time: a thread moves 10 ms every 10 ms to a ring, as for a microphone.
///
/// After a delay of the input the pace restarts. Samples are lost only if the reader is 16 s late.
public final class PacedSource: AudioSource {
  private let thread: CaptureThread
  private let player: Player

  /// Reads `inner`, which must have no other reader.
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

  /// Stops; reads return the samples that are left and then the end. Any thread may call it.
  public func close() {
    player.close()
    thread.stop()
  }

  /// The state of the pacing thread.
  private final class Player: @unchecked Sendable {
    private let inner: any AudioSource
    /// Written before the ring is finished, read after its end.
    private(set) var failure: CaptureFault?

    private static let period = Double(AudioFormat.frameLength) / Double(AudioFormat.sampleRate)
    /// Seconds of delay after which the pace restarts.
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
        // A microphone returns 10 ms at their end, not at their beginning.
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
