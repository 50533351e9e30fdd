import Detection
import Evaluation
import Platform

/// A file of streams, and of texts that belong to them.
///
/// It has a length (8 bytes, little-endian), a JSON header, and for each stream three parts: the ``RiceCode`` of the differences between
/// the numbers of a step and of the step before; that of the sounds; and that of the embeddings' differences, in whole numbers.
struct StreamFile {
  var streams: [FeatureStream]
  var labels: [String: String] = [:]

  /// What a kind of file contains.
  struct Coding: Sendable {
    let format: String
    /// The whole numbers that a number of a step becomes: so many for each 1, in a range.
    let perUnit: Float
    let range: ClosedRange<Float>
  }

  static let otherVersion = "the header is not of a supported version"
  private static let fileLimit = 256 << 20
}

extension StreamFile {
  private static let names: [(FeatureStream.Kind, String)] = [
    (.speech, "speech"), (.word, "word"), (.noise, "noise"),
  ]
  /// The stored range of embeddings.
  private static let embeddingLevels: ClosedRange<Float> = -127...127

  /// Returns the contents of the file.
  func encoded(_ coding: Coding) -> [UInt8] {
    let outputs = streams.first.map { $0.features.count / max(1, $0.vectors) } ?? 0
    let codes = Parallel.map(streams.count, threads: 2) {
      Self.code(streams[$0].features, outputs, perUnit: coding.perUnit, coding.range)
    }
    let embeddingCodes = Parallel.map(streams.count, threads: 2) {
      Self.code(streams[$0].embeddings, SpeechEmbedding.outputs, perUnit: 1, Self.embeddingLevels)
    }
    let soundCodes = streams.map {
      $0.sounds.isEmpty ? [] : RiceCode.encoded(Self.differences($0.sounds.map(Int16.init), 1))
    }
    let texts = labels.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
    let header = JSON.object(
      [JSON.Member("format", .string(coding.format))] + texts + [
        JSON.Member("outputs", .number(Double(outputs))),
        JSON.Member(
          "streams",
          .array(
            streams.indices.map { index in
              let stream = streams[index]
              return [
                "kind": .string(Self.names.first { $0.0 == stream.kind }!.1),
                "heldOut": .bool(stream.isHeldOut),
                "source": .string(stream.source), "steps": .number(Double(stream.vectors)),
                "bytes": .number(Double(codes[index].count)),
                "soundBytes": .number(Double(soundCodes[index].count)),
                "embeddings": .number(Double(stream.embeddings.count / SpeechEmbedding.outputs)),
                "embeddingBytes": .number(Double(embeddingCodes[index].count)),
              ]
            })),
      ])
    let text = Array(header.description.utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
      + streams.indices.flatMap { codes[$0] + soundCodes[$0] + embeddingCodes[$0] }
  }

  private static func code(
    _ values: [Float16], _ width: Int, perUnit: Float, _ levels: ClosedRange<Float>
  ) -> [UInt8] {
    if values.isEmpty { return [] }
    return RiceCode.encoded(
      differences(values.map { Int16((perUnit * Float($0)).rounded().clamped(to: levels)) }, width))
  }

  private static func differences(_ values: [Int16], _ width: Int) -> [Int16] {
    values.indices.map { $0 < width ? values[$0] : values[$0] - values[$0 - width] }
  }

  private static func values(
    _ code: ArraySlice<UInt8>, count: Int, width: Int, perUnit: Float, _ levels: ClosedRange<Float>
  ) -> [Float16]? {
    if count == 0 { return code.isEmpty ? [] : nil }
    guard let units = sums(code, count: count * width, width: width),
      units.allSatisfy({ levels.contains(Float($0)) })
    else { return nil }
    return units.map { Float16(Float($0) / perUnit) }
  }

  private static func sounds(_ code: ArraySlice<UInt8>, steps: Int) -> [UInt8]? {
    guard !code.isEmpty else { return [] }
    guard let sounds = sums(code, count: steps, width: 1),
      sounds.allSatisfy({ (0..<Int16(Phoneme.allCases.count)).contains($0) || $0 == Int16(Target.unlabelled) }
      )
    else { return nil }
    return sounds.map { UInt8($0) }
  }

  private static func sums(_ code: ArraySlice<UInt8>, count: Int, width: Int) -> [Int16]? {
    guard var values = RiceCode.decoded(code, count: count) else { return nil }
    for index in values.indices.dropFirst(width) { values[index] &+= values[index - width] }
    return values
  }

  /// Reads the file at `path`.
  ///
  /// - Throws: `SystemFault`, ``TrainingFault/badBackground(path:defect:)``.
  init(reading path: String, _ coding: Coding) throws {
    let bytes = try Files.read(path, limit: Self.fileLimit)
    func invalid(_ defect: String) -> TrainingFault { .badBackground(path: path, defect: defect) }
    guard bytes.count >= 8 else { throw invalid("the file is too short") }
    let length = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1)) }
    guard length <= UInt64(bytes.count - 8) else { throw invalid("the file ends in its header") }
    var position = 8 + Int(length)
    func whole(_ value: JSON?) -> Int? { value?.number.flatMap { Int(exactly: $0) } }
    let header = try? JSON(parsing: Array(bytes[8..<position]), what: "header")
    guard let header, case .object(let members) = header, header["format"]?.string == coding.format,
      let outputs = whole(header["outputs"]), (1...256).contains(outputs),
      let entries = header["streams"]?.array
    else { throw invalid(Self.otherVersion) }
    struct Part: Sendable {
      let kind: FeatureStream.Kind
      let steps: Int
      let embeddings: Int
      let entry: JSON
      /// Of the outputs, the sounds and the embeddings.
      let codes: [ArraySlice<UInt8>]
    }
    var parts: [Part] = []
    for entry in entries {
      var codes: [ArraySlice<UInt8>] = []
      for name in ["bytes", "soundBytes", "embeddingBytes"] {
        guard let size = whole(entry[name]), size >= 0, size <= bytes.count - position else { break }
        codes.append(bytes[position..<position + size])
        position += size
      }
      // Each value takes at least a bit.
      guard codes.count == 3, let kind = Self.names.first(where: { $0.1 == entry["kind"]?.string })?.0,
        let steps = whole(entry["steps"]), steps > 0, steps <= 8 * codes[0].count / outputs,
        let embeddings = whole(entry["embeddings"]), embeddings >= 0,
        embeddings <= 8 * codes[2].count / SpeechEmbedding.outputs
      else { throw invalid("the data does not match the header") }
      parts.append(Part(kind: kind, steps: steps, embeddings: embeddings, entry: entry, codes: codes))
    }
    guard position == bytes.count else { throw invalid("there is data after the last stream") }
    let found = parts
    let decoded = Parallel.map(parts.count, threads: 2) { index -> FeatureStream? in
      let part = found[index]
      guard
        let features = Self.values(
          part.codes[0], count: part.steps, width: outputs, perUnit: coding.perUnit, coding.range),
        let sounds = Self.sounds(part.codes[1], steps: part.steps),
        let embeddings = Self.values(
          part.codes[2], count: part.embeddings, width: SpeechEmbedding.outputs, perUnit: 1,
          Self.embeddingLevels)
      else { return nil }
      var stream = FeatureStream(kind: part.kind, features: features, vectors: part.steps, word: nil)
      stream.heldOut = part.entry["heldOut"] == .bool(true) ? .always : .no
      stream.source = part.entry["source"]?.string ?? ""
      stream.sounds = sounds
      stream.embeddings = embeddings
      return stream
    }
    streams = decoded.compactMap { $0 }
    guard streams.count == decoded.count else { throw invalid("a stream is damaged") }
    for member in members where member.name != "format" { labels[member.name] = member.value.string }
  }
}

extension Float {
  fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
    max(range.lowerBound, min(range.upperBound, self))
  }
}
