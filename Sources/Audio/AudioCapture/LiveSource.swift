import CALSA
import Glibc
import PCM
import Platform

/// A microphone, or any other capture device of ALSA, heard without end.
///
/// A thread of its own moves each 10 ms from the device to a ring of 16 s. An overrun (ours or the
/// kernel's) becomes a gap of the samples that the clock says were lost. A device that fails or vanishes is
/// closed and reopened, 100 ms to 5 s apart, until ``close()``; the time without it is a gap too.
///
/// A `type file` device over `type null` has no clock and never ends: it is held to real time, and gives
/// silence after the end of its file. (Behind `type plug` it gives the last buffer again and again: use it
/// directly, at its own rate and channels.)
public final class LiveSource: AudioSource {
  private let thread: CaptureThread

  /// Opens the device and begins to listen.
  ///
  /// - Parameters:
  ///   - device: ALSA's name: `hw:CARD=x,DEV=0`, `plughw:…`, `default`, `pulse`, or of a configuration.
  ///   - channel: the only channel to hear, counted from zero; nil for the mean of all.
  /// - Throws: ``CaptureFault`` for a device that is unknown, busy, forbidden or unsuitable.
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
      var listener = Listener(device: device, channel: channel, pcm: first.take(), thread: thread)
      listener.run()
    }
  }

  deinit { thread.stop() }

  public func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    thread.read(into: frame)
  }

  /// Stops listening, within 100 ms for most devices; what has been heard can still be read, then the end comes. Any thread may call it.
  public func close() { thread.stop() }

  /// Samples that the reader was too slow for, since the start.
  public var droppedSamples: Int { thread.ring.droppedSamples }

  /// Hands the first device over to the thread, which then owns it alone.
  private final class Opened: @unchecked Sendable {
    private var pcm: AlsaPCM?

    init(_ pcm: AlsaPCM) { self.pcm = pcm }

    func take() -> AlsaPCM? {
      defer { pcm = nil }
      return pcm
    }
  }
}

/// The life of the capture thread: move periods, and mend what breaks.
private struct Listener {
  let device: String
  let channel: Int?
  var pcm: AlsaPCM?
  let thread: CaptureThread

  private var backOff = Self.shortestBackOff
  private var heard = Heard()
  private var lastRecovery = 0.0
  private var recoveries = 0

  /// What the loop over periods leaves behind.
  private struct Heard {
    var lastSampleTime = 0.0
    /// Whether samples came since the device was last started.
    var sinceRecovery = false
  }

  private static let shortestBackOff = 0.1
  private static let longestBackOff = 5.0
  /// Seconds from one recovery of an overrun to the next.
  private static let recoveryInterval = 0.1
  /// Recoveries without a sample between them until the device counts as failed.
  private static let mostRecoveries = 10
  /// Seconds without a sample until the device counts as failed.
  private static let longestQuiet = 5.0

  init(device: String, channel: Int?, pcm: AlsaPCM?, thread: CaptureThread) {
    self.device = device
    self.channel = channel
    self.pcm = pcm
    self.thread = thread
    heard.lastSampleTime = MonotonicClock.now()
  }

  mutating func run() {
    while !thread.isStopping {
      guard let open = pcm else {
        reopen()
        continue
      }
      let code = Self.listen(to: open, thread, thread.ring, &heard)
      if heard.sinceRecovery {
        recoveries = 0
        backOff = Self.shortestBackOff
        heard.sinceRecovery = false
      }
      switch code {
      case EPIPE, ESTRPIPE: recover(open)
      case 0: break
      default: lose()
      }
    }
    pcm = nil
  }

  /// Moves periods until something is wrong.
  ///
  /// - Returns: ALSA's error as a positive `errno`; 0 when the thread should end.
  @_noAllocation @_noLocks
  private static func listen(
    to open: AlsaPCM, _ thread: CaptureThread, _ ring: SampleRing, _ heard: inout Heard
  ) -> Int32 {
    while !thread.isStopping {
      switch open.moveOnePeriod(to: ring) {
      case .delivered:
        thread.signal()
        heard.lastSampleTime = open.lastSampleTime
        heard.sinceRecovery = true
      case .quiet:
        // A device that reports data and gives none does not wait either.
        hotword_sleep(0.005)
        if hotword_clock() - heard.lastSampleTime > longestQuiet { return ETIMEDOUT }
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

  /// Samples between the last one heard and now, by the clock.
  private mutating func takeLostSamples() -> Int {
    let now = MonotonicClock.now()
    let lost = max(0, AudioFormat.samples(now - heard.lastSampleTime))
    heard.lastSampleTime = now
    return lost
  }

  /// Sleeps in steps, so that the thread can be ended meanwhile.
  private func sleep(until deadline: Double) {
    while !thread.isStopping, MonotonicClock.now() < deadline {
      MonotonicClock.sleep(until: min(deadline, MonotonicClock.now() + 0.05))
    }
  }
}
