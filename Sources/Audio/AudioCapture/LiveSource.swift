import CALSA
import Glibc
import PCM
import Platform

/// A microphone or another capture device of ALSA.
///
/// A thread of its own moves 10 ms at a time from the device to a ring of 16 s. An overrun, of the kernel's buffer or of
/// the ring, becomes a gap of as many samples as the clock shows to be lost. A device that fails or vanishes is closed
/// and reopened every 100 ms to 5 s until ``close()``; the time without it is a gap too.
///
/// Capture thread: our code neither allocates nor locks, which the compiler checks. alsa-lib locks a mutex of the device
/// on each call, which no other thread uses.
///
/// A `type file` device on `type null` has no clock and no end: it is slowed down to real time, and returns silence after
/// the end of its file. (Behind `type plug` it repeats its last buffer: use it directly, at its own rate and channels.)
public final class LiveSource: AudioSource {
  private let thread: CaptureThread

  /// Opens the device and starts to capture.
  ///
  /// - Parameters:
  ///   - device: ALSA's name: `hw:CARD=x,DEV=0`, `plughw:…`, `default`, `pulse`, or of a configuration.
  ///   - channel: the only channel to use, counted from zero; nil for the mean of all.
  /// - Throws: ``CaptureFault`` for a device that is unknown, busy, not permitted or unsuitable.
  public convenience init(device: String, channel: Int? = nil) throws(CaptureFault) {
    try self.init(device: device, channel: channel, ringCapacity: 1 << 18)
  }

  package init(device: String, channel: Int?, ringCapacity: Int) throws(CaptureFault) {
    let pcm = try AlsaPCM(device, channel: channel)
    let code = pcm.start()
    guard code == 0 else { throw AlsaPCM.fault(device, code) }
    thread = try CaptureThread(ringCapacity: ringCapacity)
    let first = Opened(pcm)
    try thread.start(name: "capture", realTime: true) { thread in
      var loop = CaptureLoop(device: device, channel: channel, pcm: first.take(), thread: thread)
      loop.run()
    }
  }

  deinit { thread.stop() }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    thread.read(into: frame)
  }

  /// Stops the capture, within 100 ms for most devices; reads return the samples that are left and then the end. Any
  /// thread may call it.
  public func close() { thread.stop() }

  /// Samples dropped because the reader was too slow, since the start.
  public var droppedSamples: Int { thread.ring.droppedSamples }

  /// Transfers the first device to the thread, which then owns it.
  private final class Opened: @unchecked Sendable {
    private var pcm: AlsaPCM?

    init(_ pcm: AlsaPCM) { self.pcm = pcm }

    func take() -> AlsaPCM? {
      defer { pcm = nil }
      return pcm
    }
  }
}

/// The capture thread: moves periods and recovers from errors.
private struct CaptureLoop {
  let device: String
  let channel: Int?
  var pcm: AlsaPCM?
  let thread: CaptureThread

  private var backOff = Self.shortestBackOff
  private var progress = Progress()
  private var lastRecovery = 0.0
  private var recoveries = 0

  /// The state of the loop over periods.
  private struct Progress {
    var lastSampleTime = 0.0
    /// Whether samples came since the device was last started.
    var sinceRecovery = false
  }

  private static let shortestBackOff = 0.1
  private static let longestBackOff = 5.0
  /// Seconds between two recoveries from an overrun.
  private static let recoveryInterval = 0.1
  /// Recoveries in a row without a sample after which the device counts as failed.
  private static let mostRecoveries = 10
  /// Seconds without a sample after which the device counts as failed.
  private static let longestQuiet = 5.0

  init(device: String, channel: Int?, pcm: AlsaPCM?, thread: CaptureThread) {
    self.device = device
    self.channel = channel
    self.pcm = pcm
    self.thread = thread
    progress.lastSampleTime = MonotonicClock.now()
  }

  mutating func run() {
    while !thread.isStopping {
      guard let open = pcm else {
        reopen()
        continue
      }
      let code = Self.capture(from: open, thread, thread.ring, &progress)
      if progress.sinceRecovery {
        recoveries = 0
        backOff = Self.shortestBackOff
        progress.sinceRecovery = false
      }
      switch code {
      case EPIPE, ESTRPIPE: recover(open)
      case 0: break
      default: lose()
      }
    }
    pcm = nil
  }

  /// Moves periods until an error.
  ///
  /// - Returns: ALSA's error as a positive `errno`; 0 if the thread should end.
  @_noAllocation @_noLocks
  private static func capture(
    from open: AlsaPCM, _ thread: CaptureThread, _ ring: SampleRing, _ progress: inout Progress
  ) -> Int32 {
    while !thread.isStopping {
      switch open.moveOnePeriod(to: ring) {
      case .delivered:
        thread.signal()
        progress.lastSampleTime = open.lastSampleTime
        progress.sinceRecovery = true
      case .quiet:
        // A device that reports data and returns none does not wait.
        hotword_sleep(0.005)
        if hotword_clock() - progress.lastSampleTime > longestQuiet { return ETIMEDOUT }
      case .failed(let code):
        return code
      }
    }
    return 0
  }

  private mutating func recover(_ open: AlsaPCM) {
    sleep(until: lastRecovery + Self.recoveryInterval)
    recoveries += 1
    lastRecovery = MonotonicClock.now()
    guard recoveries <= Self.mostRecoveries, open.start() == 0 else { return lose() }
    thread.ring.mark(gap: takeLostSamples(), events: .overrun)
    thread.signal()
  }

  private mutating func lose() {
    pcm = nil
    thread.ring.mark(gap: 0, events: .lost)
    thread.signal()
  }

  private mutating func reopen() {
    sleep(until: MonotonicClock.now() + backOff)
    backOff = min(Self.longestBackOff, backOff * 2)
    guard !thread.isStopping, let opened = try? AlsaPCM(device, channel: channel), opened.start() == 0 else {
      return
    }
    pcm = opened
    recoveries = 0
    thread.ring.mark(gap: takeLostSamples(), events: .recovered)
    thread.signal()
  }

  /// The samples between the last one captured and now, by the clock.
  private mutating func takeLostSamples() -> Int {
    let now = MonotonicClock.now()
    let lost = max(0, AudioFormat.samples(now - progress.lastSampleTime))
    progress.lastSampleTime = now
    return lost
  }

  /// Sleeps in steps, so that the thread can be stopped.
  private func sleep(until deadline: Double) {
    while !thread.isStopping, MonotonicClock.now() < deadline {
      MonotonicClock.sleep(until: min(deadline, MonotonicClock.now() + 0.05))
    }
  }
}
