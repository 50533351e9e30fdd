import Service
import TestServers
import Testing

@Suite(.limited) struct StreamOriginTests {
  /// Frames of 10 ms that end at `first` and later, and come at `origin` plus their ends.
  private func feed(_ origin: inout StreamOrigin, from first: Int, count: Int, implying time: Double) {
    for index in first..<first + count {
      let end = 0.01 * Double(index)
      origin.follow(end: end, at: time + end)
    }
  }

  @Test func framesThatComeLateForAMomentChangeLittle() {
    var origin = StreamOrigin()
    feed(&origin, from: 1, count: 100, implying: 10)
    feed(&origin, from: 101, count: 99, implying: 12)
    feed(&origin, from: 200, count: 100, implying: 10)
    #expect((10...10.001).contains(origin.time))
    origin.follow(end: 3, at: 12.9)
    #expect(abs(origin.time - 9.9) < 1e-9)
  }

  @Test func framesThatWaitedAndComeAtOnceAreNoPause() {
    var origin = StreamOrigin()
    feed(&origin, from: 1, count: 100, implying: 10)
    // 1.5 s later, all at once.
    for index in 101...250 { origin.follow(end: 0.01 * Double(index), at: 12.5 + 1e-5 * Double(index)) }
    #expect((10...10.001).contains(origin.time))
  }

  @Test func afterAPauseItIsWhatTheFramesImply() {
    var origin = StreamOrigin()
    feed(&origin, from: 1, count: 100, implying: 10)
    feed(&origin, from: 101, count: 102, implying: 12)
    #expect(abs(origin.time - 12) < 0.001)
  }
}
