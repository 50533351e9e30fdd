import Detection
import Evaluation
import Platform

/// Hours of speech and noise as encoder outputs, which every phrase is trained and evaluated against; one
/// file.
///
/// Phoneme posteriors are not recordings: one may guess what was said, but not who said it or how. The file
/// has a length (8 bytes, little-endian), a JSON header, and for each stream the ``RiceCode`` of the differences between
/// the outputs of a step and of the step before, in halves.
package struct Background: Sendable {
  /// The encoded streams. Held-out streams are not used in any training.
  package var streams: [FeatureStream]
  /// The hash of the encoder that computed them.
  package let encoder: String

  package static let format = "hotword-background-3"
  private static let fileLimit = 256 << 20

  package init(streams: [FeatureStream], encoder: String) {
    self.streams = streams
    self.encoder = encoder
  }

  /// Returns the total seconds of the streams that are held out, or are not.
  package func seconds(heldOut: Bool, step: Double) -> Double {
    streams.reduce(0) { $0 + ($1.isHeldOut == heldOut ? Double($1.vectors) * step : 0) }
  }

  /// Returns the streams that are not held out as networks with `sounds` read them.
  package func trainingStreams(scoredBy sounds: SoundScores?) -> [FeatureStream] {
    streams.filter { !$0.isHeldOut }.map { $0.scored(by: sounds) }
  }

  /// Returns a hash that identifies an encoder.
  package static func identity(of encoder: NetworkWeights) -> String {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for tensor in encoder.tensors {
      for value in tensor.values { hash = (hash ^ UInt64(value.bitPattern)) &* 1_099_511_628_211 }
    }
    return String(hash, radix: 16)
  }
}

extension Background {
  private static let names: [(FeatureStream.Kind, String)] = [
    (.speech, "speech"), (.word, "word"), (.noise, "noise"),
  ]
  /// The stored range of logits, in halves.
  private static let levels: ClosedRange<Float> = -32...31

  /// The contents of its file.
  package var encoded: [UInt8] {
    let outputs = streams.first.map { $0.features.count / max(1, $0.vectors) } ?? 0
    let codes = Parallel.map(streams.count, threads: 2) { Self.code(streams[$0].features, outputs) }
    let soundCodes = streams.map {
      $0.sounds.isEmpty ? [] : RiceCode.encoded(Self.differences($0.sounds.map(Int16.init), 1))
    }
    let header: JSON = [
      "format": .string(Self.format), "encoder": .string(encoder), "outputs": .number(Double(outputs)),
      "streams": .array(
        streams.indices.map { index in
          let stream = streams[index]
          return [
            "kind": .string(Self.names.first { $0.0 == stream.kind }!.1), "heldOut": .bool(stream.isHeldOut),
            "source": .string(stream.source), "steps": .number(Double(stream.vectors)),
            "bytes": .number(Double(codes[index].count)),
            "soundBytes": .number(Double(soundCodes[index].count)),
          ]
        }),
    ]
    let text = Array(header.description.utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
      + zip(codes, soundCodes).flatMap { $0 + $1 }
  }

  private static func code(_ features: [Float16], _ outputs: Int) -> [UInt8] {
    let halves = features.map { value in
      Int16((2 * Float(value)).rounded().clamped(to: levels))
    }
    return RiceCode.encoded(differences(halves, outputs))
  }

  private static func differences(_ values: [Int16], _ width: Int) -> [Int16] {
    values.indices.map { $0 < width ? values[$0] : values[$0] - values[$0 - width] }
  }

  private static func features(_ code: ArraySlice<UInt8>, steps: Int, outputs: Int) -> [Float16]? {
    guard let halves = sums(code, count: steps * outputs, width: outputs),
      halves.allSatisfy({ levels.contains(Float($0)) })
    else { return nil }
    return halves.map { Float16(Float($0) / 2) }
  }

  private static func sounds(_ code: ArraySlice<UInt8>, steps: Int, outputs: Int) -> [UInt8]? {
    guard !code.isEmpty else { return [] }
    guard let sounds = sums(code, count: steps, width: 1),
      sounds.allSatisfy({ (0..<outputs).contains(Int($0)) || $0 == Int16(Target.unlabelled) })
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
  package init(reading path: String) throws {
    let bytes = try Files.read(path, limit: Self.fileLimit)
    func invalid(_ defect: String) -> TrainingFault { .badBackground(path: path, defect: defect) }
    guard bytes.count >= 8 else { throw invalid("the file is too short") }
    let length = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1)) }
    guard length <= UInt64(bytes.count - 8) else { throw invalid("the file ends in its header") }
    var position = 8 + Int(length)
    func whole(_ value: JSON?) -> Int? { value?.number.flatMap { Int(exactly: $0) } }
    let header = try? JSON(parsing: Array(bytes[8..<position]), what: "header")
    guard let header, header["format"]?.string == Self.format, let encoder = header["encoder"]?.string,
      let outputs = whole(header["outputs"]), (1...256).contains(outputs),
      let entries = header["streams"]?.array
    else { throw invalid("the header is not of a supported version") }
    var parts:
      [(
        kind: FeatureStream.Kind, steps: Int, entry: JSON, code: ArraySlice<UInt8>, sounds: ArraySlice<UInt8>
      )] = []
    for entry in entries {
      // Each value takes at least a bit.
      guard let kind = Self.names.first(where: { $0.1 == entry["kind"]?.string })?.0,
        let size = whole(entry["bytes"]), size > 0, size <= bytes.count - position,
        let rest = whole(entry["soundBytes"]), rest >= 0, rest <= bytes.count - position - size,
        let steps = whole(entry["steps"]), steps > 0, steps <= 8 * size / outputs
      else { throw invalid("the data does not match the header") }
      let end = position + size
      parts.append((kind, steps, entry, bytes[position..<end], bytes[end..<end + rest]))
      position = end + rest
    }
    guard position == bytes.count else { throw invalid("there is data after the last stream") }
    let found = parts
    let decoded = Parallel.map(parts.count, threads: 2) { index -> ([Float16], [UInt8])? in
      let part = found[index]
      guard let features = Self.features(part.code, steps: part.steps, outputs: outputs),
        let sounds = Self.sounds(part.sounds, steps: part.steps, outputs: outputs)
      else { return nil }
      return (features, sounds)
    }
    var streams: [FeatureStream] = []
    for (part, data) in zip(parts, decoded) {
      guard let (features, sounds) = data else { throw invalid("a stream is damaged") }
      var stream = FeatureStream(kind: part.kind, features: features, vectors: part.steps, word: nil)
      stream.heldOut = part.entry["heldOut"] == .bool(true) ? .always : .no
      stream.source = part.entry["source"]?.string ?? ""
      stream.sounds = sounds
      streams.append(stream)
    }
    self.init(streams: streams, encoder: encoder)
  }
}

extension Float {
  fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
    max(range.lowerBound, min(range.upperBound, self))
  }
}
