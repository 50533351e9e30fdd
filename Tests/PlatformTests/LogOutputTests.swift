import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct LogOutputTests {
  /// Takes all that is in a pipe.
  private func drain(_ descriptor: Int32) -> String {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var all: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { return String(decoding: all, as: UTF8.self) }
      all += bytes[..<count]
    }
  }

  @Test func aPipeThatNobodyReadsDelaysOneMessageByASecondAndTheRestNotAtAll() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var output = LogOutput(ends[1])
    let began = MonotonicClock.now()
    let line = String(repeating: "x", count: 1_000)
    for _ in 0..<1_000 { output.write(line) { "\($0) left out" } }
    #expect(MonotonicClock.now() - began < 3)
    let first = drain(ends[0]).split(separator: "\n")
    #expect(first.count > 10 && first.count < 100 && first.allSatisfy { $0 == line })
    output.write("again") { "\($0) left out" }
    #expect(drain(ends[0]) == "\(1_000 - first.count) left out\nagain\n")
    output.write("and again") { "\($0) left out" }
    #expect(drain(ends[0]) == "and again\n")
  }

  @Test func longLinesAreCutAtACharacter() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var output = LogOutput(ends[1])
    output.write("a" + String(repeating: "ü", count: 10_000)) { _ in "" }
    let text = drain(ends[0])
    #expect(text.utf8.count == LogOutput.lineLimit - 2 && text.hasSuffix("üü\n"))
  }
}
