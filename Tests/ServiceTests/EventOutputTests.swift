import Assistant
import Configuration
import Glibc
import Platform
import Service
import Supervision
import TestServers
import Testing

/// Standard output with a reader that is slow or gone.
@Suite(.limited) struct EventOutputTests {
  private static let wake = AssistantEvent(
    at: 0, .wake(Wake(keyword: "computer", start: 0, end: 1, score: 0.9), snr: nil))
  private static let idle = AssistantEvent(at: 0, .idle(.done))

  /// An output into a pipe that is full.
  private func full(limit: Int) throws -> (output: EventOutput, reading: Int32, metrics: ServiceMetrics) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let flags = fcntl(ends[1], F_GETFL)
    _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
    let block = [UInt8](repeating: UInt8(ascii: "\n"), count: 4_096)
    while write(ends[1], block, block.count) > 0 {}
    _ = fcntl(ends[1], F_SETFL, flags)
    let metrics = ServiceMetrics(endings: [])
    let output = EventOutput(try EventQueue(), metrics: metrics, descriptor: ends[1], limit: limit)
    try output.start()
    return (output, ends[0], metrics)
  }

  @Test func writingNeverWaitsAndWholeConversationsAreDropped() throws {
    let (output, reading, metrics) = try full(limit: 10)
    for _ in 0..<5 { output.write(Self.idle, as: .json) }
    for _ in 0..<3 {
      output.write(Self.wake, as: .json)
      output.write(AssistantEvent(at: 0, .partial(text: "a")), as: .json)
      output.write(AssistantEvent(at: 0, .listening), as: .json)
      output.write(Self.idle, as: .json)
    }
    #expect(output.isFull && !output.isEmpty)
    #expect(metrics.droppedEvents.value == 5, "a partial result of the second, and all of the third")
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while text.count(where: { $0 == UInt8(ascii: "{") }) < 12 {
      text += block[..<max(0, read(reading, &block, block.count))]
    }
    let names = String(decoding: text, as: UTF8.self)
    #expect(names.split(separator: "\"wake\"").count == 3)
    #expect(names.split(separator: "\"idle\"").count == 8)
  }

  @Test func aServiceWhoseOutputIsFullStopsWithinTwoSeconds() throws {
    let service = try TestService(command + [.hold], pacing: .live, isOutputFull: true)
    let ended = try service.start()
    while service.supervisor.metrics.transcripts.value == 0 { usleep(1_000) }
    let start = MonotonicClock.now()
    service.stop()
    #expect(ended.take(within: 10)?.isEmpty == true)
    #expect(MonotonicClock.now() - start < 2)
  }

  @Test func aFileWaitsForItsReader() throws {
    let service = try TestService((0..<10).flatMap { _ in command }, outputLimit: 4)
    let ended = try service.start()
    let events = try service.wait(for: "idle", count: 10)
    #expect(ended.take(within: 10)?.isEmpty == true)
    #expect(events.names == ["ready"] + (0..<10).flatMap { _ in conversation })
  }
}
