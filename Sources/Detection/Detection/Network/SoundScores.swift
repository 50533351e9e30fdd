import CKernels
import Platform

/// What networks and the verifier read of an encoder: for each sound, the logarithm of its scaled likelihood.
///
/// That is the logarithm of the sound's probability, less the logarithm of how frequent the sound is, normalized over all sounds:
/// H. Bourlard and N. Morgan, "Connectionist Speech Recognition", 1994. It is at least -8, and 4 is added, so that scores
/// are -4…4. 0, which networks see before a stream begins, is neither a sound nor its absence.
public struct SoundScores: Sendable, Equatable {
  /// The logarithm of how frequent each of the encoder's outputs is, -20…20.
  public let offsets: [Float]

  package static var lowest: Float { @_noAllocation @_noLocks get { -8 } }
  package static var center: Float { @_noAllocation @_noLocks get { 4 } }

  public init(offsets: [Float]) { self.offsets = offsets }

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)``.
  func validate(outputs: Int) throws(DetectionFault) {
    guard offsets.count == outputs, offsets.allSatisfy({ abs($0) <= 20 }) else {
      throw .badSetting(name: "offsets", allowed: "one of -20 to 20 for each output of the encoder")
    }
  }

  /// Writes the scores of one step's `logits` to `scores`. Real-time safe.
  @_noAllocation @_noLocks
  static func write(
    of logits: UnsafePointer<Float>, less offsets: UnsafeBufferPointer<Float>,
    to scores: UnsafeMutablePointer<Float>
  ) {
    var highest = -Float.infinity
    var index = 0
    while index < offsets.count {
      scores[index] = logits[index] - offsets[index]
      highest = max(highest, scores[index])
      index += 1
    }
    var sum = 0.0
    index = 0
    while index < offsets.count {
      sum += hotword_exp(Double(scores[index] - highest))
      index += 1
    }
    let reference = highest + Float(hotword_log(sum))
    index = 0
    while index < offsets.count {
      scores[index] = max(lowest, scores[index] - reference) + center
      index += 1
    }
  }

  /// Returns the scores of all steps of `logits`, [steps][outputs]. Allocates.
  public func scores(of logits: [Float]) -> [Float] {
    offsets.withUnsafeBufferPointer { offsets in
      logits.withUnsafeBufferPointer { logits in
        [Float](unsafeUninitializedCapacity: logits.count) { scores, count in
          count = logits.count / max(1, offsets.count) * offsets.count
          for start in stride(from: 0, to: count, by: max(1, offsets.count)) {
            Self.write(of: logits.baseAddress! + start, less: offsets, to: scores.baseAddress! + start)
          }
        }
      }
    }
  }
}

extension SoundScores {
  public var json: JSON { ["offsets": .array(offsets.map { .number(Double($0)) })] }

  /// Decodes ``json``.
  public init(json: JSON) throws(DetectionFault) {
    offsets = try SettingsReader(json).numbers("offsets").map { Float($0) }
  }
}
