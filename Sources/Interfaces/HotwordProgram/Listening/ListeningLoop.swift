import AudioCapture
import Glibc
import PCM
import Platform
import Synchronization

/// 10 ms of audio from a ``ListeningLoop``.
package struct AudioFrame: Sendable {
  /// 160 samples; silence after the end of the input.
  package let samples: [Int16]
  /// How many of the samples are audio (0 for an event without audio), and what happened before them.
  package let read: AudioRead
}

/// The event loop of the commands that listen or that use keys: audio, keys and signals in one queue.
///
/// One thread each reads the audio, the keyboard and the signals, so that an input without audio never delays a key or a signal. One
/// thread at a time may call the loop.
package final class ListeningLoop {
  package enum Event: Sendable {
    case audio(AudioFrame)
    /// One key; ESC for every key that sends several bytes.
    case key(Character)
    /// The keyboard has no more keys: its end, or the terminal is gone.
    case endOfKeys
    case signal(Int32)
    /// Nothing happened within the given time.
    case timeout
  }

  private enum Message: Sendable {
    case event(Event)
    case opened
    case failed(CaptureFault)
  }

  /// Frames that wait for the consumer at most: 5 s. After that the input waits, and a device overruns.
  private static let capacity = 500
  private static let escape: UInt8 = 0x1B

  private let queue = JobQueue<Message>()
  /// Keys and signals before audio, so that audio that is not wanted now delays neither.
  private var inputs: [Event] = []
  private var frames: [AudioFrame] = []
  private var nextFrame = 0
  private var failure: CaptureFault?
  private var reader: AudioReader?

  /// Blocks `signals` from now on, and reads them. Create the loop before anything else starts threads.
  ///
  /// - Parameters:
  ///   - signals: nil if the default action of signals is right, as for a command without anything to restore or to end in order.
  ///   - cleanUp: called before a second stop signal ends the process at once.
  /// - Throws: `SystemFault` if no thread can be started.
  package init(
    signals: [Int32]? = [SIGINT, SIGTERM], beforeForcedExit cleanUp: @escaping @Sendable () -> Void = {}
  ) throws(SystemFault) {
    guard let signals else { return }
    try SignalWatcher(signals).start(beforeForcedExit: cleanUp) { [queue] in
      queue.append(.event(.signal($0)))
    }
  }

  deinit { close() }

  /// Starts to read keys from a file descriptor that stays open.
  package func readKeys(from keyboard: Int32) throws(SystemFault) {
    try DetachedThread.start { [queue] in
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(keyboard, &bytes, bytes.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return queue.append(.event(.endOfKeys)) }
        let isSequence = bytes[0] == Self.escape || bytes[0] >= 0x80
        for byte in isSequence ? [Self.escape] : bytes[..<count] {
          queue.append(.event(.key(Character(UnicodeScalar(byte)))))
        }
      }
    }
  }

  /// Opens an input and starts to read it.
  ///
  /// A stop signal while it opens, as a pipe without a writer does for ever, ends the process with 128 plus the signal's number.
  ///
  /// - Parameter open: called on the thread that reads.
  package func listen(
    to open: @escaping @Sendable () throws(CaptureFault) -> any AudioSource
  ) throws {
    close()
    let reader = AudioReader(capacity: Self.capacity)
    try DetachedThread.start { [queue] in
      reader.run(open) { frame in
        queue.append(frame.map { .event(.audio($0)) } ?? .opened)
      } failed: {
        queue.append(.failed($0))
      }
    }
    self.reader = reader
    while true {
      switch queue.take() {
      case .opened: return
      case .failed(let fault):
        self.reader = nil
        throw fault
      case .event(.signal(let signal)) where SignalWatcher.isStop(signal) || signal == SIGHUP:
        exit(128 + signal)
      case .event(let event): sort(.event(event))
      }
    }
  }

  /// The next event: keys and signals first.
  ///
  /// - Parameters:
  ///   - wantsAudio: whether audio is an event; if not, it waits in the queue.
  ///   - seconds: the longest wait; nil for no limit.
  /// - Throws: `CaptureFault` when the input fails.
  package func next(wantsAudio: Bool = true, within seconds: Double? = nil) throws(CaptureFault) -> Event {
    let deadline = seconds.map { MonotonicClock.now() + $0 }
    while true {
      while let message = queue.takeIfAny() { sort(message) }
      if !inputs.isEmpty { return inputs.removeFirst() }
      if wantsAudio, nextFrame < frames.count { return .audio(takeFrame()) }
      if let failure { throw failure }
      guard let deadline else {
        sort(queue.take())
        continue
      }
      guard let message = queue.take(within: max(0, deadline - MonotonicClock.now())) else { return .timeout }
      sort(message)
    }
  }

  /// Whether a key or a signal waits.
  package var hasInput: Bool {
    while let message = queue.takeIfAny() { sort(message) }
    return !inputs.isEmpty
  }

  /// Waits until a key or a signal waits, up to `seconds`. Keys and signals stay in the queue.
  package func waitForInput(seconds: Double) {
    let deadline = MonotonicClock.now() + seconds
    while !hasInput, let message = queue.take(within: max(0, deadline - MonotonicClock.now())) {
      sort(message)
    }
  }

  /// Calls `body` with each frame until it returns false, the input ends, or a signal arrives.
  ///
  /// - Parameters:
  ///   - eachSecond: called about once a second.
  ///   - onSignal: called with a signal; returns whether it was for this, so that the loop goes on.
  /// - Returns: the signal; nil without one.
  package func forEachFrame(
    eachSecond: (() -> Void)? = nil, onSignal: (Int32) -> Bool = { _ in false },
    _ body: (AudioFrame) throws -> Bool
  ) throws -> Int32? {
    var second = MonotonicClock.now() + 1
    while true {
      let event = try next(within: eachSecond == nil ? nil : max(0, second - MonotonicClock.now()))
      if let eachSecond, MonotonicClock.now() >= second {
        eachSecond()
        second = MonotonicClock.now() + 1
      }
      switch event {
      case .audio(let frame): if try !body(frame) || frame.read.isEnd { return nil }
      case .signal(let signal): if !onSignal(signal) { return signal }
      case .key, .endOfKeys, .timeout: break
      }
    }
  }

  /// Whether audio is dropped as it comes instead of being queued. Setting it drops the audio in the queue too.
  package var dropsAudio = false {
    didSet {
      reader?.dropsAudio = dropsAudio
      while let message = queue.takeIfAny() { sort(message) }
      while nextFrame < frames.count { _ = takeFrame() }
    }
  }

  /// Closes the input and waits for the thread that reads it.
  package func close() {
    guard let reader else { return }
    reader.stop()
    self.reader = nil
    while let message = queue.takeIfAny() { sort(message) }
    frames = []
    nextFrame = 0
    failure = nil
  }

  private func sort(_ message: Message) {
    switch message {
    case .event(.audio(let frame)): frames.append(frame)
    case .event(let event): inputs.append(event)
    case .failed(let fault): failure = fault
    case .opened: break
    }
  }

  private func takeFrame() -> AudioFrame {
    let frame = frames[nextFrame]
    nextFrame += 1
    if nextFrame == frames.count {
      frames.removeAll(keepingCapacity: true)
      nextFrame = 0
    }
    reader?.allowFrame()
    return frame
  }
}

/// The thread of a ``ListeningLoop`` that reads one audio source.
private final class AudioReader: @unchecked Sendable {
  private let isStopping = Atomic<Bool>(false)
  private let isDropping = Atomic<Bool>(false)
  /// One element for each frame that may be queued.
  private let slots = JobQueue<Void>()
  private let ended = JobQueue<Void>()
  /// Set by the reading thread before it reports `opened`; any thread may close a source.
  private var source: (any AudioSource)?

  init(capacity: Int) { for _ in 0..<capacity { slots.append(()) } }

  /// - Parameter deliver: called with nil when the input is open, then with each frame.
  func run(
    _ open: () throws(CaptureFault) -> any AudioSource, deliver: (AudioFrame?) -> Void,
    failed: (CaptureFault) -> Void
  ) {
    defer { ended.append(()) }
    do throws(CaptureFault) {
      let source = try open()
      self.source = source
      let reader = FrameReader(source)
      deliver(nil)
      let buffer = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
      defer { buffer.deallocate() }
      while !isStopping.load(ordering: .relaxed) {
        let read = try reader.next(into: buffer)
        if isDropping.load(ordering: .relaxed), !read.isEnd { continue }
        slots.take()
        deliver(AudioFrame(samples: Array(buffer), read: read))
        if read.isEnd { return }
      }
    } catch {
      failed(error)
    }
  }

  var dropsAudio: Bool {
    get { isDropping.load(ordering: .relaxed) }
    set { isDropping.store(newValue, ordering: .relaxed) }
  }

  func allowFrame() { slots.append(()) }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    source?.close()
    slots.append(())
    ended.take()
  }
}
