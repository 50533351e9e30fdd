import AudioCapture
import CAllocations
import Detection
import FrontEnd
import PCM
import Platform
import Service
import SpeechSynthesis
import Supervision
import TestServers
import Testing

/// What the current thread has done since it started.
private struct Counts {
  var allocations = allocations_on_this_thread()
  var locks = locks_on_this_thread()
  var mutexWaits = mutex_waits_on_this_thread()

  static func webRTCLocks() -> Int64 { locks_in_library_on_this_thread("libwebrtc") }
}

/// Counts what the thread that reads a source does from the twentieth read on; the first run the initializers of global variables.
private final class CountedSource: AudioSource {
  private let source: any AudioSource
  private(set) var reads = 0
  private(set) var start = Counts()
  private(set) var end = Counts()
  private(set) var webRTCLocks: Int64 = 0
  static let unmeasured = 20

  init(_ source: any AudioSource) { self.source = source }

  func read(into frame: UnsafeMutableBufferPointer<Int16>) throws(CaptureFault) -> AudioRead {
    if reads == Self.unmeasured {
      webRTCLocks = -Counts.webRTCLocks()
      start = Counts()
    }
    let read = try source.read(into: frame)
    guard !read.isEnd else {
      end = Counts()
      webRTCLocks += Counts.webRTCLocks()
      return read
    }
    reads += 1
    return read
  }

  func close() { source.close() }
}

/// The listening thread of `hotword run`, from the ring of the capture thread to the ring of the service's consumer.
@Suite(.limited) struct ListeningPathTests {
  private static let root = String(
    #filePath.dropLast("/Tests/ListeningPathTests/ListeningPathTests.swift".count))

  /// Plays noise for a second and a half, on a thread of its own.
  private static func startPlayer(_ playback: PlaybackReference) throws {
    try DetachedThread.start {
      var random = RandomSource(seed: 5)
      var time = MonotonicClock.now() + 0.05
      let end = time + 1.5
      while time < end {
        let block = (0..<320).map { _ in Int16(random.uniform(-900...900)) }
        block.withUnsafeBufferPointer { playback.write($0, at: time) }
        playback.note(0, from: time + 100, to: time + 100.5)
        time += 0.02
        MonotonicClock.sleep(until: time - 0.05)
      }
      playback.cut(at: time)
    }
  }

  @Test(.needsOptimization, .enabled(if: allocations_are_counted()))
  func fromTheCaptureRingToTheConsumersRingNothingIsAllocatedAndOnlyWebRTCLocks() throws {
    let store = ModelStore(folders: ["\(Self.root)/Models"])
    let spotter = try KeywordSpotter(
      ["computer", "jarvis"].map { (try store.model(ModelReference($0)), Sensitivity.standard) })
    let playback = PlaybackReference()
    let source = CountedSource(
      try InputName("\(Self.root)/Examples/turn-on-the-kitchen-light.wav").open(paced: true))
    let queue = try EventQueue()
    // A page shows the scores, and changes the sensitivities.
    let scores = LiveScores()
    scores.watch(true)
    let change = SensitivityLevels(try Sensitivity(0.6), of: 0, spotter)
    let listener = Listener(
      source, isLive: true, spotter: spotter,
      echo: try EchoCancellerOwner().setup(reference: playback, delay: 40), queue: queue,
      room: try ThreadSignal(), metrics: StreamMetrics(), heartbeat: Heartbeat(),
      scores: scores)
    try Self.startPlayer(playback)
    try listener.start()

    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    var counts: [ListeningRecord.Kind: Int] = [:]
    while counts[.end] == nil {
      guard let record = listener.ring.read(into: frame) else {
        queue.wait(until: MonotonicClock.now() + 10)
        continue
      }
      counts[record.kind, default: 0] += 1
      if counts[.frame] == 100 { #expect(listener.control.sensitivities.put(change, of: 0)) }
    }

    #expect(abs(spotter.keywords[0].sensitivity.value - 0.6) < 1e-6)
    #expect(spotter.keywords[0].threshold < 0.5)
    let measured = source.reads - CountedSource.unmeasured
    #expect(measured > 250)
    #expect((source.reads...source.reads + 1).contains(counts[.frame] ?? 0))
    // The noise of the player covers the first hotword; the echo canceller of version 1.x may remove that with it.
    let hits = FrontEnd.libraryVersion == 0 ? 2...2 : 1...2
    #expect(hits.contains(counts[.hit] ?? 0) && counts[.gap] == nil, "\(counts)")
    #expect(source.end.allocations == source.start.allocations)
    #expect(source.end.mutexWaits == source.start.mutexWaits)
    #expect(source.end.locks - source.start.locks == source.webRTCLocks)
    // The echo canceller's (version 0.3: three, 1.x: four), and those of the front end that both models share (one, three).
    #expect(source.webRTCLocks == (FrontEnd.libraryVersion == 0 ? 4 : 7) * Int64(measured))
  }
}
