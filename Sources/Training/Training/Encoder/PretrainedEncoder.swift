import Detection
import Evaluation
import FrontEnd
import Platform

/// The encoder and the background on which every phrase is trained, from one of the model folders.
package struct PretrainedEncoder: Sendable {
  package let encoder: PhonemeEncoder
  package let background: Background

  package static let encoderFile = "encoder.safetensors"
  package static let backgroundFile = "background.bin"

  /// Reads both from the first model folder whose subfolder `training` contains the encoder.
  ///
  /// - Throws: ``TrainingFault/noPretrainedEncoder(file:folders:)``,
  ///   ``TrainingFault/badBackground(path:defect:)``, `DetectionFault`, `SystemFault`.
  package init(_ store: ModelStore = .standard()) throws {
    let folders = store.folders.map { "\($0)/training" }
    guard let folder = folders.first(where: { Files.exists("\($0)/\(Self.encoderFile)") }) else {
      throw TrainingFault.noPretrainedEncoder(file: Self.encoderFile, folders: folders)
    }
    encoder = try PhonemeEncoder(reading: "\(folder)/\(Self.encoderFile)")
    let path = "\(folder)/\(Self.backgroundFile)"
    background = try Background(reading: path)
    guard background.encoder == Background.identity(of: encoder.network) else {
      throw TrainingFault.badBackground(path: path, defect: "it belongs to another encoder")
    }
  }
}

/// Hours of speech and noise as encoder outputs, which every phrase is trained and evaluated against; one
/// file.
///
/// Phoneme posteriors are not recordings: one may guess what was said, but not who said it or how. The file
/// has a length (8 bytes, little-endian), a JSON header, and one byte for each output of each step.
package struct Background: Sendable {
  /// The encoded streams. Held-out streams are not used in any training.
  package var streams: [FeatureStream]
  /// The hash of the encoder that computed them.
  package let encoder: String

  package static let format = "hotword-background-1"
  /// The bytes per unit of logit, and the byte for zero.
  private static let scale: Float = 8
  private static let zero: Float = 128
  private static let fileLimit = 256 << 20

  package init(streams: [FeatureStream], encoder: String) {
    self.streams = streams
    self.encoder = encoder
  }

  /// Returns the total seconds of the streams that are held out, or are not.
  package func seconds(heldOut: Bool, step: Double) -> Double {
    streams.reduce(0) { $0 + ($1.isHeldOut == heldOut ? Double($1.vectors) * step : 0) }
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

  /// The contents of its file.
  package var encoded: [UInt8] {
    let outputs = streams.first.map { $0.features.count / max(1, $0.vectors) } ?? 0
    let header: JSON = [
      "format": .string(Self.format), "encoder": .string(encoder), "outputs": .number(Double(outputs)),
      "streams": .array(
        streams.map { stream in
          [
            "kind": .string(Self.names.first { $0.0 == stream.kind }!.1), "heldOut": .bool(stream.isHeldOut),
            "source": .string(stream.source),
            "steps": .number(Double(stream.vectors)),
          ]
        }),
    ]
    let text = Array(header.description.utf8)
    var bytes = (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
    bytes.reserveCapacity(bytes.count + streams.reduce(0) { $0 + $1.features.count })
    for stream in streams {
      for value in stream.features {
        bytes.append(UInt8(max(0, min(255, (Float(value) * Self.scale + Self.zero).rounded()))))
      }
    }
    return bytes
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
    let header = try? JSON(parsing: Array(bytes[8..<position]), what: "header")
    guard let header, header["format"]?.string == Self.format, let encoder = header["encoder"]?.string,
      let outputs = header["outputs"]?.number.flatMap({ Int(exactly: $0) }), (1...256).contains(outputs),
      let entries = header["streams"]?.array
    else { throw invalid("the header is not of a supported version") }
    var streams: [FeatureStream] = []
    for entry in entries {
      guard let kind = Self.names.first(where: { $0.1 == entry["kind"]?.string })?.0,
        let steps = entry["steps"]?.number.flatMap({ Int(exactly: $0) }), steps > 0,
        steps <= (bytes.count - position) / outputs
      else { throw invalid("the data does not match the header") }
      let values = bytes[position..<position + steps * outputs].map {
        Float16((Float($0) - Self.zero) / Self.scale)
      }
      position += steps * outputs
      var stream = FeatureStream(kind: kind, features: values, vectors: steps, word: nil)
      stream.isHeldOut = entry["heldOut"] == .bool(true)
      stream.source = entry["source"]?.string ?? ""
      streams.append(stream)
    }
    guard position == bytes.count else { throw invalid("there is data after the last stream") }
    self.init(streams: streams, encoder: encoder)
  }
}
