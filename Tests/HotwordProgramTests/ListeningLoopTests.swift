import AudioCapture
import Glibc
import HotwordProgram
import PCM
import Platform
import Synchronization
import TestServers
import Testing

/// A source of `count` frames that then waits for ever, or ends.
private final class FakeSource: AudioSource, Sendable {
  private let left: Atomic<Int>
  private let ends: Bool
  private let isClosed = Atomic<Bool>(false)
  private let closing = JobQueue<Void>()

  init(frames: Int, ends: Bool) {
    left = Atomic(frames)
    self.ends = ends
  }

  func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    if isClosed.load(ordering: .relaxed) { return AudioRead(isEnd: true) }
    if left.load(ordering: .relaxed) > 0 {
      left.subtract(1, ordering: .relaxed)
      frame.update(repeating: 7)
      return AudioRead(count: frame.count)
    }
    if !ends { closing.take() }
    return AudioRead(isEnd: true)
  }

  func close() {
    isClosed.store(true, ordering: .relaxed)
    closing.append(())
  }
}

@Suite(.limited) struct ListeningLoopTests {
  private func listen(frames: Int, ends: Bool) throws -> ListeningLoop {
    let loop = try ListeningLoop(signals: nil)
    try loop.listen { () throws(CaptureFault) in FakeSource(frames: frames, ends: ends) }
    return loop
  }

  @Test func everyFrameArrivesInOrderUpToTheEnd() throws {
    let loop = try listen(frames: 2_000, ends: true)
    var count = 0
    var isEnd = false
    _ = try loop.forEachFrame { frame in
      count += frame.read.count
      isEnd = frame.read.isEnd
      return true
    }
    #expect(count == 2_000 * AudioFormat.frameLength && isEnd)
  }

  @Test func aKeyArrivesWhileTheInputHasNoAudio() throws {
    let loop = try listen(frames: 0, ends: false)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    try loop.readKeys(from: ends[0])
    _ = writeAll(Array("q".utf8), to: ends[1])
    guard case .key("q") = try loop.next(within: 10) else {
      Issue.record("no key")
      return
    }
    close(ends[1])
    guard case .endOfKeys = try loop.next(within: 10) else {
      Issue.record("no end")
      return
    }
  }

  @Test func keysAreReturnedBeforeQueuedAudio() throws {
    let loop = try listen(frames: 100, ends: false)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    try loop.readKeys(from: ends[0])
    _ = writeAll(Array("p\u{1B}[A".utf8), to: ends[1])
    loop.waitForInput(seconds: 10)
    guard case .key("p") = try loop.next() else {
      Issue.record("no key")
      return
    }
    close(ends[1])
  }

  @Test func audioWaitsInTheQueueWhileItIsNotWanted() throws {
    let loop = try listen(frames: 3, ends: true)
    guard case .timeout = try loop.next(wantsAudio: false, within: 0.05) else {
      Issue.record("audio although not wanted")
      return
    }
    var frames = 0
    _ = try loop.forEachFrame { frame in
      frames += frame.read.count > 0 ? 1 : 0
      return true
    }
    #expect(frames == 3)
  }

  @Test func droppedAudioDoesNotFillTheQueue() throws {
    let loop = try listen(frames: 10_000, ends: true)
    loop.dropsAudio = true
    var audio = 0
    _ = try loop.forEachFrame { frame in
      audio += frame.read.count
      return true
    }
    #expect(audio < 1_000 * AudioFormat.frameLength)
  }

  @Test func theFaultOfAnInputIsThrown() throws {
    let loop = try ListeningLoop(signals: nil)
    #expect(throws: CaptureFault.self) {
      try loop.listen { () throws(CaptureFault) in throw .badInputName(text: "") }
    }
  }

  @Test func anotherInputCanFollow() throws {
    let loop = try listen(frames: 5, ends: false)
    loop.close()
    try loop.listen { () throws(CaptureFault) in FakeSource(frames: 2, ends: true) }
    var frames = 0
    _ = try loop.forEachFrame { frame in
      frames += frame.read.count > 0 ? 1 : 0
      return true
    }
    #expect(frames == 2)
  }
}
