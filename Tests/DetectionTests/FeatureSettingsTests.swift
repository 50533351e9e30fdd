import CAllocations
import Detection
import Platform
import TestServers
import Testing

@Suite(.limited) struct FeatureSettingsTests {
  private func replacing(_ name: String, with value: JSON?) -> JSON {
    let members = FeatureSettings.standard.json.members ?? []
    return .object(
      members.compactMap { member in
        guard member.name == name else { return member }
        return value.map { JSON.Member(name, $0) }
      })
  }

  @Test func areEqualAfterEncodingAndDecoding() throws {
    var settings = FeatureSettings.standard
    settings.coefficients = 13
    settings.floor = -61.25
    settings.meanDecay = 0.9975
    for value in [settings, .standard] {
      let text = Array(value.json.description.utf8)
      #expect(try FeatureSettings(json: JSON(parsing: text, what: "settings")) == value)
    }
  }

  @Test func everyMemberIsRequiredOnceAndOthersAreRejected() throws {
    let members = FeatureSettings.standard.json.members ?? []
    #expect(members.count == 12)
    for member in members {
      #expect(throws: DetectionFault.self) {
        try FeatureSettings(json: replacing(member.name, with: nil))
      }
      #expect(throws: DetectionFault.self) { try FeatureSettings(json: .object(members + [member])) }
      #expect(throws: DetectionFault.self) {
        try FeatureSettings(json: replacing(member.name, with: "40"))
      }
    }
    #expect(throws: DetectionFault.self) {
      try FeatureSettings(json: .object(members + [JSON.Member("dither", 1)]))
    }
    #expect(throws: DetectionFault.self) { try FeatureSettings(json: nil) }
  }

  @Test(arguments: [
    ("hop", 80), ("window", 100), ("window", 400.5), ("window", 513), ("fft", 500), ("fft", 8192),
    ("melBands", 0), ("melBands", 1e18), ("coefficients", 41), ("lowFrequency", -1),
    ("highFrequency", 8001), ("highFrequency", 20), ("floor", 1), ("floorSlope", 13), ("meanDecay", 1),
    ("priorFrames", -1), ("priorLevel", 1e9),
  ])
  func valuesOutOfRangeAreRefused(name: String, value: Double) {
    #expect(throws: DetectionFault.self) {
      try FeatureSettings(json: replacing(name, with: .number(value)))
    }
  }

  @Test(.enabled(if: allocations_are_counted())) func extractionAllocatesNothing() throws {
    let atStart = allocations_on_this_thread()
    let extractor = try FeatureExtractor(.standard)
    #expect(allocations_on_this_thread() > atStart + 10)
    var random = RandomSource(seed: 3)
    let samples = (0..<16_000).map { _ in Int16(random.uniform(-9000...9000)) }
    var vector = [Float](repeating: 0, count: 40)
    var counted: Int64 = 0
    samples.withUnsafeBufferPointer { samples in
      vector.withUnsafeMutableBufferPointer { vector in
        let before = allocations_on_this_thread()
        for start in stride(from: 0, to: samples.count, by: 160) {
          _ = extractor.push(UnsafeBufferPointer(rebasing: samples[start..<start + 160]), into: vector)
        }
        extractor.reset()
        counted = allocations_on_this_thread() - before
      }
    }
    #expect(counted == 0)
  }
}
