import Glibc
import Platform
import Service
import TestServers
import Testing

/// The queue from the listening thread to the consumer.
@Suite(.limited) struct ListeningRingTests {
  private func frame(_ value: Int) -> [Int16] { [Int16](repeating: Int16(value % 30_000), count: 160) }

  @Test(arguments: [0, 1, 63, 64, 65, Int.max - 64 - 500])
  func recordsComeInOrderAtEveryWrapPosition(_ start: Int) {
    let ring = ListeningRing(capacity: 64, start: start)
    let target = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { target.deallocate() }
    for round in 0..<100 {
      #expect(ring.write(ListeningRecord(.frame, count: round), frame(round)))
      #expect(ring.write(ListeningRecord(.gap, count: round)))
      let first = ring.read(into: target)
      #expect(first?.kind == .frame && first?.count == round && target[159] == Int16(round))
      #expect(ring.read(into: target)?.kind == .gap)
      #expect(ring.read(into: target) == nil && ring.isEmpty)
    }
  }

  @Test func framesLeaveRoomForHits() {
    let ring = ListeningRing(capacity: 64)
    var frames = 0
    while ring.write(ListeningRecord(.frame), frame(0)) { frames += 1 }
    #expect(frames == 32 && !ring.hasRoom)
    var hits = 0
    while ring.write(ListeningRecord(.hit)) { hits += 1 }
    #expect(hits == 32)
  }

  @Test func twoThreadsLoseNothing() throws {
    let ring = ListeningRing(capacity: 64)
    let count = 100_000
    try DetachedThread.start {
      let samples = [Int16](repeating: 0, count: 160)
      for index in 0..<count {
        var samples = samples
        samples[0] = Int16(truncatingIfNeeded: index)
        while !ring.write(ListeningRecord(.frame, count: index), samples) { sched_yield() }
      }
    }
    let target = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 160)
    defer { target.deallocate() }
    for index in 0..<count {
      var record = ring.read(into: target)
      while record == nil {
        sched_yield()
        record = ring.read(into: target)
      }
      guard record?.count == index, target[0] == Int16(truncatingIfNeeded: index) else {
        Issue.record("record \(index) is \(String(describing: record))")
        return
      }
    }
  }
}
