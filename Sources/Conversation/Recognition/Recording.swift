import PCM
import Platform

/// The audio of one utterance, for recognizers that process it as a whole.
package struct Recording {
  package private(set) var samples: [Int16] = []

  package init() {}

  package mutating func append(_ samples: [Int16]) { self.samples += samples }

  /// Seconds.
  package var duration: Double { AudioFormat.seconds(samples.count) }

  /// The samples as bytes, little-endian.
  package static func bytes(_ samples: some Collection<Int16>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * samples.count)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return bytes
  }

  /// The samples as a WAV file.
  package var wave: [UInt8] { WAVHeader(dataLength: 2 * samples.count).encoded() + Self.bytes(samples) }

  /// The transcript of a recognizer that returns only text, for `duration` seconds of audio.
  package static func transcript(_ text: String, duration: Double, isFinal: Bool = true) -> Transcript {
    guard !text.isEmpty else { return .silence }
    let segment = Transcript.Segment(text: text, start: 0, end: duration, confidence: 1)
    return Transcript(text: text, confidence: 1, segments: [segment], isFinal: isFinal)
  }
}
