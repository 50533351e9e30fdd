import Testing

@testable import Detection

@Suite(.limited) struct PackedNetworksTests {
  @Test func equalWeightsArePackedOnce() throws {
    let known = PackedNetworks()
    let weights = try Self.network(seed: 1)
    #expect(known.packed(weights) === known.packed(try Self.network(seed: 1)))
    #expect(known.packed(weights) !== known.packed(try Self.network(seed: 2)))
    #expect(known.packed(SpeechEmbedding.random(seed: 1)) === known.packed(.random(seed: 1)))
    #expect(known.packed(SpeechEmbedding.random(seed: 1)) !== known.packed(.random(seed: 2)))
  }

  @Test func oneOtherSignAnywhereMakesOtherWeights() throws {
    let known = PackedNetworks()
    let weights = try Self.network(seed: 1)
    var packed = [known.packed(weights)]
    for index in [0, 1, 2, 3, weights.stemWeight.count - 1] {
      var other = weights
      other.stemWeight[index].negate()
      packed.append(known.packed(other))
    }
    for index in weights.headWeight.indices {
      var other = weights
      other.headWeight[index].negate()
      packed.append(known.packed(other))
    }
    var both = weights
    both.stemWeight[1].negate()
    both.stemWeight[9].negate()
    packed.append(known.packed(both))
    #expect(Set(packed.map { ObjectIdentifier($0) }).count == packed.count)
  }

  private static func network(seed: UInt64) throws -> NetworkWeights {
    .random(try NetworkShape(inputs: 7, channels: 5, kernel: 3, dilations: [1]), seed: seed)
  }
}
