import Testing

@testable import Platform

/// The last lines of the log.
@Suite struct LogHistoryTests {
  private func history(_ count: Int) -> LogHistory {
    var history = LogHistory()
    for index in 0..<count {
      let level: Log.Level = index % 10 == 0 ? .error : .info
      history.append(LogLine(time: .now(), level: level, text: "\(index)"))
    }
    return history
  }

  @Test(arguments: [0, 1, 399, 400, 401, 799, 800, 1_234])
  func theLastLinesAreKeptInTheirOrder(_ count: Int) {
    let lines = history(count).last(1_000, atLeast: .debug).map(\.text)
    #expect(lines == (max(0, count - LogHistory.capacity)..<count).map { "\($0)" })
  }

  @Test func onlyLinesOfTheLevelAreReturned() {
    #expect(history(35).last(2, atLeast: .warning).map(\.text) == ["20", "30"])
    #expect(history(35).last(2, atLeast: .info).map(\.text) == ["33", "34"])
  }
}
