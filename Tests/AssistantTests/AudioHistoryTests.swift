import Assistant
import TestServers
import Testing

@Suite(.limited) struct AudioHistoryTests {
  /// A history of `capacity` after samples 1, 2, 3… (sample at position i is i + 1) appended in `chunk`s up to `end`.
  private func filled(capacity: Int, chunk: Int, end: Int) -> AudioHistory {
    let history = AudioHistory(capacity: capacity)
    var next = 0
    while next < end {
      let count = min(chunk, end - next)
      let samples = (next..<next + count).map { Int16(truncatingIfNeeded: $0 + 1) }
      samples.withUnsafeBufferPointer { history.append($0) }
      next += count
    }
    return history
  }

  @Test func everyRangeAtEveryWrapPositionReadsTheMonotonicSequence() {
    for capacity in [1, 2, 5, 8] {
      for chunk in 1...11 {
        for end in 0...(3 * capacity + 1) {
          let history = filled(capacity: capacity, chunk: chunk, end: end)
          #expect(history.end == end)
          #expect(history.start == max(0, end - capacity))
          for lower in history.start...end {
            for upper in lower...end {
              #expect(history.read(from: lower, to: upper) == (lower..<upper).map { Int16($0 + 1) })
            }
          }
        }
      }
    }
  }

  @Test func whatIsNotHeldIsRefused() {
    let history = filled(capacity: 8, chunk: 3, end: 20)
    #expect(history.read(from: 11, to: 20) == nil)
    #expect(history.read(from: 12, to: 21) == nil)
    #expect(history.read(from: 15, to: 14) == nil)
    #expect(history.read(from: 20, to: 20) == [])
  }

  @Test func gapsReadAsZerosAtTheirPlace() {
    for before in 0...20 {
      for gap in 0...20 {
        let history = filled(capacity: 8, chunk: 3, end: before)
        history.appendGap(gap)
        [Int16](repeating: 7, count: 2).withUnsafeBufferPointer { history.append($0) }
        let expected =
          (0..<before).map { Int16($0 + 1) } + [Int16](repeating: 0, count: gap) + [7, 7]
        #expect(history.end == expected.count)
        #expect(history.read(from: history.start, to: history.end) == Array(expected.suffix(8)))
      }
    }
  }

  @Test func consecutiveReadsWhileTheStreamRunsLoseNothingAndRepeatNothing() {
    let history = AudioHistory(capacity: 1_000)
    var received: [Int16] = []
    var fed = 337
    for frame in 0..<500 {
      let samples = (0..<160).map { Int16(truncatingIfNeeded: frame * 160 + $0) }
      samples.withUnsafeBufferPointer { history.append($0) }
      guard frame >= 4 else { continue }
      received += history.read(from: fed, to: history.end) ?? []
      fed = history.end
    }
    #expect(received == (337..<80_000).map { Int16(truncatingIfNeeded: $0) })
  }
}
