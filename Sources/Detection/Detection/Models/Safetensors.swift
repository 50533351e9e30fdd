import Platform

/// A file of named arrays in the safetensors format: a length, a JSON header, and little-endian numbers.
///
/// The decoder accepts untrusted bytes: it checks all lengths before use, executes nothing, and allocates no more than a
/// small multiple of the file. Only F32, F16 and I8 arrays without gaps and overlaps are accepted. An array is written in half
/// precision if that changes none of its values. After a matrix `NAME` of type I8 follows an array `NAME.unit` with a factor for each of its
/// rows. https://github.com/huggingface/safetensors
public struct Safetensors: Sendable, Equatable {
  /// In the order of their data.
  public var tensors: [NetworkWeights.Tensor]
  /// The header's `__metadata__`, sorted by name.
  public var metadata: [(name: String, text: String)] { pairs.map { ($0.name, $0.text) } }
  private let pairs: [Pair]
  /// Whether matrices that `EightBits` has rounded are written as such.
  private let hasEightBits: Bool

  private struct Pair: Equatable {
    var name: String
    var text: String
  }

  /// The largest size of a header in bytes.
  public static let headerLimit = 4 << 20
  /// The largest size of a file in bytes: all parameters that a network may have, and a header.
  public static let fileLimit = 4 * NetworkShape.parameterLimit + headerLimit + 8

  /// - Parameter hasEightBits: writes matrices whose rows are whole numbers up to 127 times a factor in 8 bits.
  public init(
    tensors: [NetworkWeights.Tensor], metadata: [(name: String, text: String)], hasEightBits: Bool = false
  ) {
    self.tensors = tensors
    self.hasEightBits = hasEightBits
    pairs = metadata.map { Pair(name: $0.name, text: $0.text) }.sorted { $0.name < $1.name }
  }

  /// The text of the metadata entry `name`.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.text }

  /// The tensor `name`.
  public func tensor(_ name: String) -> NetworkWeights.Tensor? { tensors.first { $0.name == name } }
}

// MARK: - Decoding

extension Safetensors {
  /// Decodes the bytes of a file.
  ///
  /// - Throws: the defect of the file.
  public init(decoding bytes: [UInt8]) throws(ModelDefect) {
    var shared = SharedTensors()
    try self.init(decoding: bytes, sharing: &shared)
  }

  /// Decodes the bytes of one of several files.
  ///
  /// - Throws: the defect of the file.
  init(decoding bytes: [UInt8], sharing shared: inout SharedTensors) throws(ModelDefect) {
    hasEightBits = false
    guard bytes.count >= 8 else { throw .truncated(needed: 8, found: bytes.count) }
    let length = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1)) }
    guard length <= Self.headerLimit else { throw .headerTooLarge(bytes: length, limit: Self.headerLimit) }
    let start = 8 + Int(length)
    guard start <= bytes.count else { throw .truncated(needed: start, found: bytes.count) }
    let header = try Self.header(Array(bytes[8..<start]))
    let data = bytes[start...]
    var pairs: [Pair] = []
    var entries: [Entry] = []
    for member in header {
      if member.name == "__metadata__" {
        guard let texts = member.value.members else {
          throw .badMetadata(name: member.name, allowed: "an object of strings")
        }
        for text in texts {
          guard let value = text.value.string else {
            throw .badMetadata(name: text.name, allowed: "a string")
          }
          pairs.append(Pair(name: text.name, text: value))
        }
      } else {
        entries.append(try Entry(member, limit: data.count))
      }
    }
    entries.sort { ($0.begin, $0.end, $0.name) < ($1.begin, $1.end, $1.name) }
    var end = 0
    tensors = []
    var rest = entries[...]
    while let entry = rest.popFirst() {
      guard entry.begin == end else { throw .notContiguous(entry.name) }
      end = entry.end
      var units: Entry?
      if entry.type == .eightBits {
        units = rest.popFirst()
        guard let units, units.name == "\(entry.name).unit", units.type != .eightBits, units.begin == end,
          entry.shape.count > 1, units.shape == [entry.shape[0]]
        else { throw .missingTensor("\(entry.name).unit") }
        end = units.end
      }
      let bytes = data[data.startIndex + entry.begin..<data.startIndex + end]
      tensors.append(
        try shared.tensor(entry.name, entry.shape, bytes) { () throws(ModelDefect) in
          let tensor = try entry.tensor(bytes.prefix(entry.end - entry.begin))
          guard let units else { return tensor.roundedIfWide }
          return try tensor.scaled(by: units.tensor(bytes.dropFirst(entry.end - entry.begin)).values)
        })
    }
    guard end == data.count else { throw .trailingBytes(data.count - end) }
    self.pairs = pairs.sorted { $0.name < $1.name }
  }

  /// The members of the header.
  private static func header(_ text: [UInt8]) throws(ModelDefect) -> [JSON.Member] {
    do {
      if let members = try JSON(parsing: text, depthLimit: 4).members { return members }
    } catch {
      if case .duplicateName = error.kind { throw .duplicateName }
    }
    throw .headerNotJSON
  }

  /// The types of the numbers, by their names in the header.
  private enum NumberType: String {
    case single = "F32"
    case half = "F16"
    case eightBits = "I8"

    /// The shortest type that has all of `values`.
    init(for values: [Float]) {
      self = values.allSatisfy { Float(Float16($0)) == $0 } ? .half : .single
    }

    var bytes: Int {
      switch self {
      case .single: 4
      case .half: 2
      case .eightBits: 1
      }
    }
  }

  /// The position of a tensor in the data.
  private struct Entry {
    let name: String
    let type: NumberType
    let shape: [Int]
    let begin: Int
    let end: Int

    init(_ member: JSON.Member, limit: Int) throws(ModelDefect) {
      name = member.name
      let value = member.value
      guard let type = value["dtype"]?.string, let sizes = value["shape"]?.array,
        let offsets = value["data_offsets"]?.array, value.members?.count == 3
      else { throw .malformedTensor(name) }
      guard let known = NumberType(rawValue: type) else { throw .wrongType(tensor: name, type: type) }
      self.type = known
      let numbers = sizes.compactMap { $0.number.flatMap { Int(exactly: $0) } }
      let places = offsets.compactMap { $0.number.flatMap { Int(exactly: $0) } }
      guard numbers.count == sizes.count, numbers.count <= 8, numbers.allSatisfy({ $0 >= 0 }),
        places.count == 2, offsets.count == 2
      else { throw .malformedTensor(name) }
      shape = numbers
      begin = places[0]
      end = places[1]
      var bytes = known.bytes
      for number in numbers {
        let (product, overflow) = bytes.multipliedReportingOverflow(by: number)
        guard !overflow else { throw .badOffsets(name) }
        bytes = product
      }
      guard begin >= 0, end >= begin, end <= limit, end - begin == bytes else { throw .badOffsets(name) }
    }

    func tensor(_ bytes: ArraySlice<UInt8>) throws(ModelDefect) -> NetworkWeights.Tensor {
      let values: [Float] =
        switch type {
        case .single: Self.numbers(bytes) { Float(bitPattern: UInt32(littleEndian: $0)) }
        case .half: Self.numbers(bytes) { Self.single(UInt16(littleEndian: $0)) }
        case .eightBits: Self.numbers(bytes) { (number: Int8) in Float(number) }
        }
      var largest: UInt32 = 0
      for value in values { largest = max(largest, value.magnitude.bitPattern) }
      guard largest < Float.infinity.bitPattern else { throw .notFinite(name) }
      return NetworkWeights.Tensor(name: name, shape: shape, values: values)
    }

    /// Numbers of `bytes`, which may begin at any address. Models have millions: the loop is one that the compiler vectorizes.
    @inline(__always)
    private static func numbers<Pattern: FixedWidthInteger>(
      _ bytes: ArraySlice<UInt8>, _ value: (Pattern) -> Float
    ) -> [Float] {
      let count = bytes.count / MemoryLayout<Pattern>.size
      let patterns = [Pattern](unsafeUninitializedCapacity: count) { patterns, filled in
        UnsafeMutableRawBufferPointer(patterns).copyBytes(from: bytes)
        filled = count
      }
      return [Float](unsafeUninitializedCapacity: count) { numbers, filled in
        patterns.withUnsafeBufferPointer { patterns in
          for index in 0..<count { numbers[index] = value(patterns[index]) }
        }
        filled = count
      }
    }

    /// The value of a number of half precision. `Float16` calls a function for each, which takes most of the time in which
    /// a service starts.
    @inline(__always)
    private static func single(_ half: UInt16) -> Float {
      let pattern = UInt32(half)
      let magnitude = pattern & 0x7FFF
      let sign = (pattern & 0x8000) << 16
      let isFinite = magnitude < 0x7C00
      // 2¹¹² is the ratio of the exponents' offsets; the product is exact, for numbers below the normal ones too.
      let scaled = Float(bitPattern: magnitude << 13) * 0x1p112
      return Float(bitPattern: sign | (isFinite ? scaled.bitPattern : 0x7F80_0000 | magnitude << 13))
    }
  }
}

// MARK: - Encoding

extension Safetensors {
  /// The bytes of a file; equal contents have equal bytes.
  public var encoded: [UInt8] {
    var members: [JSON.Member] = []
    if !pairs.isEmpty {
      members.append(
        JSON.Member("__metadata__", .object(pairs.map { JSON.Member($0.name, .string($0.text)) })))
    }
    let arrays = tensors.flatMap { tensor in
      if hasEightBits, let rounded = EightBits(exactly: tensor) {
        return [
          (tensor, NumberType.eightBits, rounded.numbers), (rounded.units(of: tensor.name), .single, []),
        ]
      }
      return [(tensor, NumberType(for: tensor.values), [])]
    }
    var end = 0
    for (tensor, type, _) in arrays {
      let begin = end
      end += type.bytes * tensor.values.count
      members.append(
        JSON.Member(
          tensor.name,
          [
            "dtype": .string(type.rawValue), "shape": .array(tensor.shape.map { .number(Double($0)) }),
            "data_offsets": [.number(Double(begin)), .number(Double(end))],
          ]))
    }
    var header = Array(JSON.object(members).description.utf8)
    while header.count % 8 != 0 { header.append(UInt8(ascii: " ")) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + header.count + end)
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: header.count >> (8 * shift))) }
    bytes += header
    for (tensor, type, numbers) in arrays {
      bytes += numbers.lazy.map { UInt8(bitPattern: $0) }
      for value in tensor.values where type != .eightBits {
        let pattern = type == .single ? value.bitPattern : UInt32(Float16(value).bitPattern)
        for index in 0..<type.bytes {
          bytes.append(UInt8(truncatingIfNeeded: pattern >> (8 * UInt32(index))))
        }
      }
    }
    return bytes
  }
}
