import AudioCapture
import Glibc
import TestServers
import Testing

@Suite(.limited) struct SampleRingTests {
  /// Hands out 0, 1, 2, … (modulo 2¹⁶) and checks that it comes back in order, gaps counted.
  struct Verifier {
    var next = 0
    var wrong = 0

    mutating func check(_ samples: UnsafePointer<Int16>, _ count: Int, gap: Int) {
      next += gap
      for index in 0..<count where samples[index] != Int16(truncatingIfNeeded: next + index) { wrong += 1 }
      next += count
    }
  }

  static func write(_ range: Range<Int>, to ring: SampleRing) {
    let samples = range.map { Int16(truncatingIfNeeded: $0) }
    ring.write(samples, count: samples.count)
  }

  @Test func sequenceSurvivesEveryWrapPosition() {
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: 32)
    defer { block.deallocate() }
    for start in 0..<16 {
      for size in 1...16 {
        let ring = SampleRing(capacity: 16, start: start)
        var verifier = Verifier()
        var sent = 0
        for _ in 0..<20 {
          Self.write(sent..<(sent + size), to: ring)
          sent += size
          let step = ring.read(into: block, capacity: 32)
          verifier.check(block, step.count, gap: step.gap)
          #expect(step.count == size && step.gap == 0 && step.events.isEmpty && !step.isEnd)
        }
        #expect(verifier.wrong == 0 && verifier.next == sent)
        #expect(ring.droppedSamples == 0)
      }
    }
  }

  @Test func fullRingDropsTheNewestAndCountsThemAsAGap() {
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: 64)
    defer { block.deallocate() }
    for start in 0..<16 {
      let ring = SampleRing(capacity: 16, start: start)
      var verifier = Verifier()
      Self.write(0..<10, to: ring)
      Self.write(10..<20, to: ring)
      Self.write(20..<30, to: ring)
      #expect(ring.droppedSamples == 14)
      var step = ring.read(into: block, capacity: 64)
      #expect(step.count == 16 && step.gap == 0)
      verifier.check(block, step.count, gap: step.gap)
      Self.write(30..<33, to: ring)
      step = ring.read(into: block, capacity: 64)
      #expect(step.count == 3 && step.gap == 14 && step.events == .overrun)
      verifier.check(block, step.count, gap: step.gap)
      #expect(verifier.wrong == 0 && verifier.next == 33)
    }
  }

  @Test func marksKeepTheirPositionsAmongTheSamples() {
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: 64)
    defer { block.deallocate() }
    let ring = SampleRing(capacity: 64)
    Self.write(0..<5, to: ring)
    ring.mark(gap: 7, events: .overrun)
    Self.write(12..<20, to: ring)
    ring.mark(gap: 0, events: .lost)
    ring.mark(gap: 100, events: .recovered)
    ring.finish()
    var step = ring.read(into: block, capacity: 64)
    #expect(step.count == 5 && step.gap == 0 && step.atMark && !step.isEnd)
    step = ring.read(into: block, capacity: 64, takesMarks: false)
    #expect(step.count == 0 && step.atMark)
    step = ring.read(into: block, capacity: 64)
    #expect(step.count == 8 && step.gap == 7 && step.events == .overrun && !step.isEnd)
    #expect(block[0] == 12)
    step = ring.read(into: block, capacity: 64)
    #expect(step.count == 0 && step.gap == 100 && step.isEnd)
    #expect(step.events == [.lost, .recovered])
  }

  /// As a device that is being unplugged: it can be opened for a moment, but returns nothing.
  @Test func aDeviceThatIsLostAgainAtOnceHasNotComeBack() throws {
    let ring = SampleRing(capacity: 64)
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: 64)
    defer { block.deallocate() }
    func take(_ events: DeviceEvents...) -> (events: DeviceEvents, gap: Int) {
      for one in events { ring.mark(gap: 5, events: one) }
      let step = ring.read(into: block, capacity: 64)
      return (step.events, step.gap)
    }
    #expect(take(.lost, .recovered, .lost) == (.lost, 15))
    #expect(take(.recovered, .lost) == ([], 10))
    #expect(take(.recovered, .lost, .overrun, .recovered) == ([.recovered, .overrun], 20))
    #expect(take(.lost, .recovered, .lost, .recovered) == ([.lost, .recovered], 20))

    // The same through the reader that waits for samples.
    let thread = try CaptureThread(ringCapacity: 64)
    let frame = UnsafeMutableBufferPointer(start: block, count: 64)
    thread.ring.mark(gap: 0, events: .lost)
    #expect(thread.read(into: frame).events == .lost)
    thread.ring.mark(gap: 3, events: .recovered)
    thread.ring.mark(gap: 0, events: .lost)
    #expect(thread.read(into: frame) == AudioRead(gap: 3))
    thread.ring.mark(gap: 4, events: .recovered)
    Self.write(0..<64, to: thread.ring)
    #expect(thread.read(into: frame) == AudioRead(count: 64, gap: 4, events: .recovered))
  }

  @Test func tooManyMarksDropSamplesButKeepPositionsExact() {
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: 1024)
    defer { block.deallocate() }
    let ring = SampleRing(capacity: 1024)
    var clock = 0
    for _ in 0..<100 {
      Self.write(clock..<(clock + 3), to: ring)
      ring.mark(gap: 2, events: .overrun)
      clock += 5
    }
    var verifier = Verifier()
    for _ in 0..<300 {
      let step = ring.read(into: block, capacity: 1024)
      verifier.check(block, step.count, gap: step.gap)
    }
    Self.write(clock..<(clock + 1), to: ring)
    let step = ring.read(into: block, capacity: 1024)
    verifier.check(block, step.count, gap: step.gap)
    #expect(verifier.wrong == 0)
    #expect(verifier.next == clock + 1)
  }

  @Test func fiveMillionSamplesPassBetweenTwoThreadsInOrder() throws {
    let total = 5_000_000
    let thread = try CaptureThread(ringCapacity: 1 << 12)
    try thread.start(name: "ramp", realTime: false) { thread in
      let block = UnsafeMutablePointer<Int16>.allocate(capacity: 1000)
      defer { block.deallocate() }
      var sent = 0
      var size = 1
      while sent < total {
        size = min(size * 7 % 997 + 1, total - sent)
        for index in 0..<size { block[index] = Int16(truncatingIfNeeded: sent + index) }
        thread.ring.write(block, count: size)
        thread.signal()
        sent += size
        if sent % 64 == 0 { sched_yield() }
      }
    }
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 333)
    defer { frame.deallocate() }
    var verifier = Verifier()
    var received = 0
    while true {
      let step = thread.read(into: frame)
      verifier.check(frame.baseAddress!, step.count, gap: step.gap)
      received += step.count
      if step.isEnd { break }
    }
    #expect(verifier.wrong == 0)
    #expect(verifier.next == total)
    #expect(received + thread.ring.droppedSamples == total)
    #expect(received > 0)
  }
}
