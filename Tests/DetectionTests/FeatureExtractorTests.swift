import Detection
import Glibc
import PCM
import Platform
import TestServers
import Testing

@Suite(.limited) struct FeatureExtractorTests {
  private static let size = FeatureSettings.standard.coefficients

  private static func signal(seconds: Double, amplitude: Float, seed: UInt64 = 1) -> [Int16] {
    var random = RandomSource(seed: seed)
    return (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.uniform(-amplitude...amplitude)) }
  }

  // features.json: librosa 0.11 in double precision (stft with win_length 400, filters.mel with htk and norm
  // 1), scipy's orthonormal dct, and a numpy recursion for the mean, on a chirp with noise and silence.
  @Test func agreesWithLibrosa() throws {
    let path = try #require(Fixture.path("features.json"))
    let fixture = try JSON(parsing: Files.read(path), what: path)
    let samples = try #require(fixture["samples"]?.array).compactMap { $0.number.map { Int16($0) } }
    let logMel = try #require(fixture["logMel"]?.array).compactMap { $0.number.map { Float($0) } }
    let cepstra = try #require(fixture["cepstra"]?.array).compactMap { $0.number.map { Float($0) } }
    var settings = FeatureSettings.standard
    settings.meanDecay = 0.95
    settings.priorFrames = 10
    let extractor = try FeatureExtractor(settings)
    var vector = [Float](repeating: 0, count: Self.size)
    var count = 0
    for start in stride(from: 0, to: samples.count, by: 160) {
      let frame = Array(samples[start..<start + 160])
      guard
        frame.withUnsafeBufferPointer({ input in
          vector.withUnsafeMutableBufferPointer { extractor.push(input, into: $0) }
        })
      else { continue }
      for band in 0..<40 {
        #expect(abs(extractor.logMel[band] - logMel[count * 40 + band]) < 2e-4, "\(count), band \(band)")
        #expect(abs(vector[band] - cepstra[count * 40 + band]) < 1e-3, "\(count), coefficient \(band)")
      }
      count += 1
    }
    #expect(count * 40 == logMel.count)
  }

  @Test func firstVectorComesWhenTheWindowIsFull() throws {
    let extractor = try FeatureExtractor(.standard)
    #expect(extractor.vectors(of: Self.signal(seconds: 0.02, amplitude: 900)).isEmpty)
    #expect(extractor.vectors(of: Self.signal(seconds: 0.01, amplitude: 900)).count == Self.size)
  }

  @Test func piecesAndTheWholeGiveTheSameOutput() throws {
    let samples = Self.signal(seconds: 1, amplitude: 9000)
    let whole = try FeatureExtractor(.standard).vectors(of: samples)
    let extractor = try FeatureExtractor(.standard)
    var pieces: [Float] = []
    for start in stride(from: 0, to: samples.count, by: 480) {
      pieces += extractor.vectors(of: Array(samples[start..<min(start + 480, samples.count)]))
    }
    #expect(pieces == whole)
    #expect(whole.count == 98 * Self.size)
  }

  @Test func resetEqualsAFreshInstance() throws {
    let samples = Self.signal(seconds: 1, amplitude: 9000)
    let extractor = try FeatureExtractor(.standard)
    let first = extractor.vectors(of: samples)
    extractor.reset()
    #expect(extractor.vectors(of: samples) == first)
  }

  @Test func silenceIsOneLevelBelowThePriorAndSettlesAtZero() throws {
    let vectors = try FeatureExtractor(.standard).vectors(of: [Int16](repeating: 0, count: 32_000 * 5))
    #expect(vectors.allSatisfy { $0.isFinite })
    let last = vectors.suffix(Self.size)
    #expect(last.allSatisfy { abs($0) < 0.1 })
    #expect(vectors.prefix(Self.size).dropFirst().allSatisfy { abs($0) < 1e-3 })
  }

  @Test func fullScaleStaysFinite() throws {
    let square = (0..<16_000).map { $0 / 8 % 2 == 0 ? Int16.max : Int16.min }
    let vectors = try FeatureExtractor(.standard).vectors(of: square)
    #expect(vectors.allSatisfy { $0.isFinite && abs($0) < 200 })
  }

  @Test func theLevelOfTheWholeStreamIsRemovedFromTheVectors() throws {
    let quiet = Self.signal(seconds: 10, amplitude: 1500)
    let loud = quiet.map { $0 * 8 }
    let first = try FeatureExtractor(.standard).vectors(of: quiet).suffix(200 * Self.size)
    let second = try FeatureExtractor(.standard).vectors(of: loud).suffix(200 * Self.size)
    #expect(zip(first, second).allSatisfy { abs($0 - $1) < 0.5 })
  }

  @Test func aWarpShiftsTheFrequencyOfATone() throws {
    let extractor = try FeatureExtractor(.standard)
    let warped = try FeatureExtractor(.standard, warp: 1.25)
    func loudestBand(_ extractor: FeatureExtractor, _ frequency: Double) -> Int {
      let tone = (0..<4800).map { index -> Int16 in
        let angle: Double = 2 * .pi * frequency * Double(index) / 16_000
        return Int16(20_000 * sin(angle))
      }
      _ = extractor.vectors(of: tone)
      return (0..<40).max { extractor.logMel[$0] < extractor.logMel[$1] }!
    }
    #expect(loudestBand(extractor, 1600) == loudestBand(warped, 2000))
    #expect(loudestBand(extractor, 2000) > loudestBand(warped, 2000))
  }
}

/// Files committed beside the tests.
private enum Fixture {
  static func path(_ name: String, file: String = #filePath) -> String? {
    guard let slash = file.lastIndex(of: "/") else { return nil }
    let path = "\(file[..<slash])/Fixtures/\(name)"
    return Files.exists(path) ? path : nil
  }
}
