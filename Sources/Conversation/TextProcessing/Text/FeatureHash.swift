/// A feature's name as a number: FNV-1a of its text, combined with the names of other features.
package struct FeatureHash: Hashable, Sendable {
  package var value: UInt64

  @inlinable package init(value: UInt64) { self.value = value }

  @inlinable package init(_ text: some StringProtocol) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    value = hash
  }

  @inlinable package init(_ bytes: ArraySlice<UInt8>) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    value = hash
  }

  /// This feature followed by `other`; the order matters.
  @inlinable package func joined(_ other: FeatureHash) -> FeatureHash { joined(other.value) }

  @inlinable package func joined(_ other: UInt64) -> FeatureHash {
    var mixed = (value ^ (other &* 0x9E37_79B9_7F4A_7C15)) &* 0xBF58_476D_1CE4_E5B9
    mixed ^= mixed >> 29
    return FeatureHash(value: mixed)
  }
}
