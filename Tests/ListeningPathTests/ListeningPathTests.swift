import AudioCapture
import CAllocations
import Detection
import PCM
import Platform
import Service
import SpeechSynthesis
import Synchronization
import TestServers
import Testing

/// The path of a frame in `hotword run`, from the ring of the capture thread to the hit and on to the next ring.
@Suite(.limited) struct ListeningPathTests {
  private static let root = String(
    #filePath.dropLast("/Tests/ListeningPathTests/ListeningPathTests.swift".count))

  /// What this thread has done since it started.
  private struct Counts {
    var allocations = allocations_on_this_thread()
    var locks = locks_on_this_thread()
    var mutexWaits = mutex_waits_on_this_thread()
  }

  private final class Player: Sendable {
    let isDone = Atomic<Bool>(false)
  }

  /// Plays noise for a second and a half, on a thread of its own.
  private static func startPlayer(_ playback: PlaybackReference, _ player: Player) throws {
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
      player.isDone.store(true, ordering: .releasing)
    }
  }

  @Test(.enabled(if: allocations_are_counted()))
  func fromTheCaptureRingToTheHitNothingIsAllocatedAndOnlyWebRTCLocks() throws {
    let store = ModelStore(folders: ["\(Self.root)/Models"])
    let spotter = try KeywordSpotter(
      ["computer", "jarvis"].map { (try store.model(ModelReference($0)), Sensitivity.standard) })
    var sensitivity = PlaybackSensitivity(spotter)
    var nearMisses = spotter.keywords.map { NearMisses(threshold: $0.threshold) }
    let playback = PlaybackReference()
    let canceller = try EchoCanceller(playback, delay: 40)
    let output = SampleRing(capacity: 1 << 17)
    let source = try InputName("\(Self.root)/Examples/turn-on-the-kitchen-light.wav").open(paced: true)
    let reader = FrameReader(source)
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    let player = Player()
    try Self.startPlayer(playback, player)

    var webRTCLocksAtStart: Int64 = 0
    var start = Counts()
    var frames = 0
    var measured = 0
    var hits = 0
    var held = 0
    var framesWithPlayback = 0
    var isEnd = false
    while !isEnd {
      // The first frames run the initializers of global variables.
      if frames == 20 {
        measured = 0
        webRTCLocksAtStart = locks_in_library_on_this_thread("libwebrtc")
        start = Counts()
      }
      let position = frames * AudioFormat.frameLength
      let read = try reader.next(into: frame)
      isEnd = read.isEnd
      guard read.count > 0 else { continue }
      let isPlaying = canceller.clean(frame, at: position)
      if isPlaying { framesWithPlayback += 1 }
      sensitivity.update(isPlaying: isPlaying, at: position, spotter)
      let found = spotter.push(UnsafeBufferPointer(frame))
      var index = 0
      while index < found {
        let (model, decision) = spotter.decision(index)
        if canceller.holds(model, at: decision.start..<decision.end) { held += 1 }
        output.mark(gap: 0, events: .overrun)
        hits += 1
        index += 1
      }
      index = 0
      while index < nearMisses.count {
        if let step = spotter.score(of: index) { _ = nearMisses[index].push(step.score, at: step.end) }
        index += 1
      }
      output.write(UnsafePointer(frame.baseAddress!), count: AudioFormat.frameLength)
      frames += 1
      measured += 1
    }
    let end = Counts()

    let hasPlayed = player.isDone.load(ordering: .acquiring)
    #expect(hasPlayed)
    #expect(measured > 250 && hits >= 1 && held == 0)
    #expect((100...170).contains(framesWithPlayback))
    #expect(end.allocations == start.allocations)
    #expect(end.mutexWaits == start.mutexWaits)
    let webRTCLocks = locks_in_library_on_this_thread("libwebrtc") - webRTCLocksAtStart
    #expect(end.locks - start.locks == webRTCLocks)
    // Three of the echo canceller, one of the front end that both models share.
    #expect(webRTCLocks == 4 * Int64(measured))
  }
}
