import Platform
import TestServers
import Testing

@testable import Detection

@Suite(.limited) struct SafetensorsTests {
  private let file = Safetensors(
    tensors: [
      .init(name: "b", shape: [2, 2], values: [1, -2, 3.5, 0]), .init(name: "a", shape: [1], values: [1e-30]),
      .init(name: "none", shape: [0, 3], values: []), .init(name: "scalar", shape: [], values: [7]),
    ], metadata: [("z", "1"), ("name", "a \"word\"\n€")])

  @Test func decodesWhatWasEncoded() throws {
    let decoded = try Safetensors(decoding: file.encoded)
    #expect(decoded.tensors.map(\.name) == ["b", "a", "none", "scalar"])
    #expect(decoded.tensor("b")?.values == [1, -2, 3.5, 0])
    #expect(decoded["name"] == "a \"word\"\n€")
    #expect(decoded.metadata.map(\.name) == ["name", "z"])
    #expect(decoded.encoded == file.encoded)
  }

  @Test func writesTheFormatByteForByte() {
    let one = Safetensors(
      tensors: [.init(name: "t", shape: [1], values: [Float(1 + 0x1p-20)])], metadata: [("k", "v")])
    let header = #"{"__metadata__":{"k":"v"},"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}} "#
    #expect(header.utf8.count == 80)
    #expect(one.encoded == [80, 0, 0, 0, 0, 0, 0, 0] + Array(header.utf8) + [8, 0, 0x80, 0x3F])
  }

  @Test func writesHalfPrecisionWhereItLosesNothing() throws {
    let one = Safetensors(
      tensors: [.init(name: "t", shape: [2], values: [1, -0.5])], metadata: [("k", "v")])
    let header = #"{"__metadata__":{"k":"v"},"t":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}} "#
    #expect(one.encoded == [80, 0, 0, 0, 0, 0, 0, 0] + Array(header.utf8) + [0, 0x3C, 0, 0xB8])
    #expect(try Safetensors(decoding: one.encoded).tensors == one.tensors)
  }

  @Test func everyNumberOfHalfPrecisionKeepsItsValue() throws {
    let numbers = (0...UInt16.max).map { Float(Float16(bitPattern: $0)) }.filter(\.isFinite)
    let bytes = Safetensors(
      tensors: [.init(name: "t", shape: [numbers.count], values: numbers)], metadata: []
    ).encoded
    #expect(bytes.count < 4 * numbers.count, "half precision is used")
    let decoded = try Safetensors(decoding: bytes).tensors[0].values
    #expect(decoded.map(\.bitPattern) == numbers.map(\.bitPattern))
    let infinite: [UInt16] = [0x7C00, 0xFC00, 0x7E00]
    for pattern in infinite {
      let low = UInt8(pattern & 0xFF)
      let damaged = Array(bytes.dropLast(2)) + [low, UInt8(pattern >> 8)]
      #expect(throws: ModelDefect.notFinite("t")) { try Safetensors(decoding: damaged) }
    }
  }

  @Test func writesRoundedMatricesInEightBits() throws {
    var random = RandomSource(seed: 1)
    let rows = EightBits(rounding: (0..<60).map { _ in random.uniform(-3...3) }, rows: 5)
    let matrix = NetworkWeights.Tensor(name: "m", shape: [5, 12], values: rows.values)
    let other = NetworkWeights.Tensor(name: "n", shape: [5, 12], values: matrix.values.map { $0 + 1e-3 })
    let small = Safetensors(tensors: [matrix], metadata: [], hasEightBits: true)
    #expect(small.encoded.count == 8 + 120 + 60 + 5 * 4)
    #expect(EightBits(rounding: rows.values, rows: 5) == rows)
    let read = try Safetensors(
      decoding: Safetensors(tensors: [matrix, other], metadata: [], hasEightBits: true).encoded)
    #expect(read.tensors == [matrix, other])
  }

  @Test(arguments: [
    #"{"m":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]}}        "#,
    #"{"m":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]},"m.unit":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#,
    #"{"m":{"dtype":"I8","shape":[4],"data_offsets":[0,4]},"m.unit":{"dtype":"F32","shape":[4],"data_offsets":[4,20]}}"#,
    #"{"m":{"dtype":"I8","shape":[2,2],"data_offsets":[0,4]},"n.unit":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#,
  ])
  func matricesOfEightBitsNeedAFactorForEachRow(header: String) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: header.utf8.count >> (8 * $0)) } + Array(header.utf8)
    for count in [4, 8, 12, 20] {
      #expect(throws: ModelDefect.self) {
        try Safetensors(decoding: bytes + [UInt8](repeating: 0, count: count))
      }
    }
  }

  @Test func factorsThatOverflowAreRefused() {
    let header =
      #"{"m":{"dtype":"I8","shape":[1,1],"data_offsets":[0,1]},"m.unit":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}}"#
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: header.utf8.count >> (8 * $0)) } + Array(header.utf8)
    #expect(throws: ModelDefect.notFinite("m")) {
      try Safetensors(decoding: bytes + [127, 0xFF, 0xFF, 0x7F, 0x7F])
    }
  }

  @Test func refusesEveryTruncationAndTrailingBytes() {
    let bytes = file.encoded
    for count in bytes.indices {
      #expect(throws: ModelDefect.self) { try Safetensors(decoding: Array(bytes[..<count])) }
    }
    #expect(throws: ModelDefect.trailingBytes(1)) { try Safetensors(decoding: bytes + [0]) }
  }

  @Test func survivesFlippedBytes() {
    let bytes = file.encoded
    for position in bytes.indices {
      for flip in [UInt8(1), 0x10, 0x80, 0xFF] {
        var damaged = bytes
        damaged[position] ^= flip
        _ = try? Safetensors(decoding: damaged)
      }
    }
  }

  @Test(arguments: [
    (
      #"{"t":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#,
      ModelDefect.wrongType(tensor: "t", type: "BF16")
    ),
    (#"{"t":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, .badOffsets("t")),
    (#"{"t":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, .badOffsets("t")),
    (#"{"t":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}"#, .badOffsets("t")),
    (#"{"t":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#, .badOffsets("t")),
    (#"{"t":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#, .malformedTensor("t")),
    (#"{"t":{"dtype":"F32","shape":[0.5],"data_offsets":[0,4]}}"#, .malformedTensor("t")),
    (#"{"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}}"#, .malformedTensor("t")),
    (#"{"t":{"dtype":"F32","shape":[1]}}"#, .malformedTensor("t")),
    (#"{"t":{"dtype":"F32","shape":[1e18,1e18],"data_offsets":[0,4]}}"#, .badOffsets("t")),
    (
      #"{"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
      .duplicateName
    ),
    (
      #"{"__metadata__":{"a":"1","a":"1"},"t":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
      .duplicateName
    ),
    (
      #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#,
      .notContiguous("b")
    ),
    (#"{"__metadata__":{"a":1}}"#, .badMetadata(name: "a", allowed: "a string")),
    (#"{"__metadata__":[]}"#, .badMetadata(name: "__metadata__", allowed: "an object of strings")),
    (#"{}"#, .trailingBytes(4)), (#"[]"#, .headerNotJSON), (#"{"a":"#, .headerNotJSON), ("", .headerNotJSON),
    (String(repeating: "[", count: 5000), .headerNotJSON),
  ])
  func namesTheDefect(header: String, defect: ModelDefect) {
    #expect(throws: defect) { try Safetensors(decoding: framed(header, data: [0, 0, 0, 0])) }
  }

  @Test func refusesHugeHeaders() {
    let claims = [UInt8](repeating: 0xFF, count: 8) + Array("{}".utf8)
    #expect(throws: ModelDefect.headerTooLarge(bytes: .max, limit: Safetensors.headerLimit)) {
      try Safetensors(decoding: claims)
    }
  }

  @Test func rejectsGaps() {
    let header = #"{"t":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}"#
    #expect(throws: ModelDefect.notContiguous("t")) {
      try Safetensors(decoding: framed(header, data: [UInt8](repeating: 0, count: 8)))
    }
  }

  @Test func refusesWeightsThatAreNotFinite() {
    for value in [Float.nan, .infinity, -.infinity] {
      let file = Safetensors(tensors: [.init(name: "t", shape: [2], values: [0, value])], metadata: [])
      #expect(throws: ModelDefect.notFinite("t")) { try Safetensors(decoding: file.encoded) }
    }
  }

  private func framed(_ header: String, data: [UInt8]) -> [UInt8] {
    let length = header.utf8.count
    return (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + Array(header.utf8) + data
  }
}
