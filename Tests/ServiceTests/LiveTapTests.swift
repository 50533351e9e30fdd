import Assistant
import Configuration
import Detection
import PCM
import Service
import TestServers
import Testing

/// What the service shows to a page.
@Suite(.limited) struct LiveTapTests {
  /// What came while the service ran.
  private func items(isWatched: Bool) throws -> (blocks: [LiveTap.Block], events: [String]) {
    let tap = LiveTap(ServiceSettings())
    tap.watch(isWatched)
    _ = try TestService(command, live: tap).run()
    var blocks: [LiveTap.Block] = []
    var events: [String] = []
    while let item = tap.items.takeIfAny() {
      switch item {
      case .block(let block): blocks.append(block)
      case .event(let event): events.append(event["event"]?.string ?? "")
      case .models: break
      }
    }
    return (blocks, events.filter { $0 != "partial" })
  }

  @Test func whileNoPageIsOpenOnlyTheEventsCome() throws {
    let (blocks, events) = try items(isWatched: false)
    #expect(blocks.isEmpty)
    #expect(events == ["ready"] + conversation)
  }

  @Test func whileAPageIsOpenTheStreamComesInBlocks() throws {
    let (blocks, events) = try items(isWatched: true)
    #expect(events == ["ready"] + conversation)
    let length = LiveTap.framesPerBlock * AudioFormat.frameLength
    #expect(blocks.map(\.end) == (1...blocks.count).map { $0 * length })
    #expect(blocks.allSatisfy { $0.samples.count == length && $0.levels.count == LiveTap.framesPerBlock })
    #expect(
      blocks.allSatisfy { $0.voiced.count == LiveTap.framesPerBlock && $0.scores.count == $0.voiced.count })
    // Silence, the hotword, a pause and a second of speech: 4.7 s.
    #expect((46...48).contains(blocks.count))
    #expect(blocks[0].samples.allSatisfy { $0 == 0 })
    #expect(blocks[10].samples.contains(FakeSource.hotwordAmplitude))
  }

  @Test func theNewestScoreOfEachModelIsRead() {
    let scores = LiveScores()
    scores.put(0.5, of: 0)
    scores.put(0.25, of: 1)
    scores.put(0.75, of: 1)
    scores.put(1, of: LiveScores.capacity)
    #expect(scores.values(3) == [0.5, 0.75, 0])
  }

  @Test func theNewestRequestOfEachModelIsTakenOnce() throws {
    let requests = SensitivityRequests()
    #expect(!requests.takePending() && requests.take(0) == nil)
    func levels(_ value: Double) throws -> SensitivityLevels {
      SensitivityLevels(usual: (try Sensitivity(value), 1 - value), raised: (try Sensitivity(1), 0.25))
    }
    #expect(requests.put(try levels(0.25), of: 1))
    #expect(requests.put(try levels(0.75), of: 1))
    #expect(!requests.put(try levels(0.75), of: SensitivityRequests.capacity))
    #expect(requests.takePending() && !requests.takePending())
    #expect(requests.take(0) == nil)
    let taken = try #require(requests.take(1))
    #expect(taken.usual.sensitivity.value == 0.75 && taken.usual.threshold == 0.25)
    #expect(taken.raised.sensitivity.value == 1 && taken.raised.threshold == 0.25)
    #expect(requests.take(1) == nil)
  }
}
