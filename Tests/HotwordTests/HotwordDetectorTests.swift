import AudioCapture
import CAllocations
import Glibc
import Hotword
import PCM
import Platform
import TestServers
import Testing

private let root = String(#filePath.dropLast("/Tests/HotwordTests/HotwordDetectorTests.swift".count))
private let store = ModelStore(folders: ["\(root)/Models"])

/// Two orders that begin with "computer".
private let recording = (try? AudioFile.read("\(root)/Examples/turn-on-the-kitchen-light.wav")) ?? []

private func detector(_ names: [String] = ["computer"]) throws -> HotwordDetector {
  try HotwordDetector(names, in: store)
}

/// All hits of a stream that comes in pieces of `size`.
private func hits(_ detector: HotwordDetector, _ samples: [Int16], pieces size: Int = 1_024) -> [Hit] {
  stride(from: 0, to: samples.count, by: size).flatMap {
    detector.push(Array(samples[$0..<min($0 + size, samples.count)]))
  } + detector.finish()
}

@Suite(.limited) struct HotwordDetectorTests {
  @Test(arguments: [1, 77, 160, 1_000, 1_000_000])
  func piecesOfAnySizeGiveWhatFramesGiveTheSpotter(size: Int) throws {
    let models = try ["computer", "jarvis"].map {
      (try store.model(ModelReference($0)), Sensitivity.standard)
    }
    let spotter = try KeywordSpotter(models)
    var expected: [Hit] = []
    let padded = recording + [Int16](repeating: 0, count: 160 - recording.count % 160 + 160 * spotter.tail)
    padded.withUnsafeBufferPointer { samples in
      for start in stride(from: 0, to: samples.count - 159, by: 160) {
        let count = spotter.push(UnsafeBufferPointer(rebasing: samples[start..<start + 160]))
        for index in 0..<count { expected.append(spotter.hit(index)) }
      }
    }
    #expect(expected.count == 2)
    #expect(hits(try detector(["computer", "jarvis"]), recording, pieces: size) == expected)
  }

  @Test func aWordAtTheVeryEndIsFound() throws {
    let cut = Array(recording[..<AudioFormat.samples(1.42)])
    #expect(hits(try detector(), cut).count == 1)
  }

  @Test func processingAllocatesNothingFromTheFirstSampleOn() throws {
    let detector = try detector(["computer", "alexa", "jarvis:0.9"])
    var counted: Int64 = 0
    var outcomes: [HotwordDetector.Outcome] = []
    outcomes.reserveCapacity(100_000)
    recording.withUnsafeBufferPointer { samples in
      for start in stride(from: 0, to: samples.count - 99, by: 99) {
        let piece = UnsafeBufferPointer(rebasing: samples[start..<start + 99])
        let before = allocations_on_this_thread()
        outcomes.append(detector.process(piece))
        counted += allocations_on_this_thread() - before
      }
      let before = allocations_on_this_thread()
      outcomes.append(detector.processEnd())
      counted += allocations_on_this_thread() - before
    }
    #expect(counted == 0)
    #expect(outcomes.filter { $0 == .hotword(0) }.count == 2)
  }

  @Test func silenceSpeechAndHotwordAreDistinguished() throws {
    let detector = try detector()
    func hear(_ samples: [Int16]) -> HotwordDetector.Outcome {
      samples.withUnsafeBufferPointer { detector.process($0) }
    }
    #expect(hear([Int16](repeating: 0, count: 16_000)) == .silence)
    // The word, an order, and the pause behind it.
    #expect(hear(Array(recording[..<AudioFormat.samples(1.6)])) == .hotword(0))
    #expect(hear(Array(recording[AudioFormat.samples(1.6)..<AudioFormat.samples(2.6)])) == .speech)
    #expect(hear([]) == .speech)
    _ = hear([Int16](repeating: 0, count: 8_000))
    #expect(hear([Int16](repeating: 0, count: 8_000)) == .silence)
    #expect(hear([]) == .silence)
  }

  @Test func aSensitivityCanBeChangedInTheStream() throws {
    let detector = try detector()
    let calibrated = detector.keywords[0].threshold
    detector.setSensitivity(try Sensitivity(0), of: 0)
    #expect(detector.keywords[0].threshold > calibrated && detector.keywords[0].sensitivity.value == 0)
    let quiet = hits(detector, recording)
    detector.reset()
    detector.setSensitivity(.standard, of: 0)
    #expect(detector.keywords[0].threshold == calibrated)
    #expect(hits(detector, recording).count == 2 && quiet.count <= 2)
  }

  @Test func gainAmplifiesAFaintVoiceAndClipsALoudOne() throws {
    let faint = recording.map { $0 / 300 }
    let plain = hits(try detector(), faint).map(\.score).max() ?? 0
    let raised = try detector()
    raised.gain = 100
    raised.gain = .nan
    #expect(raised.gain == 100)
    let found = hits(raised, faint)
    #expect(found.count == 2 && (found.map(\.score).max() ?? 0) > plain)
    let cut = try detector()
    cut.gain = 100
    _ = hits(cut, [.max, .min] + recording)
  }

  @Test func withoutTheFrontEndTheStreamRestartsAndHotwordsAreDetected() throws {
    let detector = try detector(["computer:0.7"])
    let expected = hits(detector, recording)
    _ = detector.push(Array(recording[..<20_000]))
    try detector.applyFrontEnd(false)
    #expect(!detector.appliesFrontEnd && detector.keywords[0].sensitivity.value == 0.7)
    let bare = hits(detector, recording)
    #expect(bare.count == 2 && bare != expected)
    try detector.applyFrontEnd(true)
    #expect(hits(detector, recording) == expected)
  }

  @Test func resetGivesAFreshStream() throws {
    let detector = try detector()
    let first = hits(detector, recording)
    _ = detector.push(Array(recording[..<20_011]))
    detector.reset()
    #expect(hits(detector, recording, pieces: 333) == first)
  }

  @Test func theScoreIsTheHighestOfThePiece() throws {
    let detector = try detector()
    _ = detector.push(Array(recording[..<8_000]))
    #expect(detector.score(of: 0) < 0.1)
    let hit = try #require(detector.push(Array(recording[8_000..<32_000])).first)
    #expect(detector.score(of: 0) >= hit.score)
    let before = detector.score(of: 0)
    _ = detector.push([0])
    #expect(detector.score(of: 0) == before)
  }

  @Test(.needsOptimization) func hitsThatAreNotTakenAreKeptUpToALimit() throws {
    let detector = try detector()
    for _ in 0..<(HotwordDetector.hitLimit / 2 + 3) {
      _ = recording.withUnsafeBufferPointer { detector.process($0) }
    }
    var taken = 0
    var last = -1
    while let hit = detector.nextHit() {
      #expect(hit.end > last)
      last = hit.end
      taken += 1
    }
    #expect(taken == HotwordDetector.hitLimit)
    #expect(detector.push(recording).count == 2)
  }
}
