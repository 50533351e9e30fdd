import Glibc
import PCM
import Platform

/// Short computed sounds that indicate the assistant's state: two sine tones each.
public enum Sound: String, Sendable, CaseIterable {
  /// The assistant listens: the tones rise.
  case wake
  /// The assistant has stopped listening: the tones fall.
  case end
  /// The assistant did not understand: two equal low tones.
  case notUnderstood
  /// A timer has ended: four times two high tones.
  case ring

  /// 16 kHz mono, up to a quarter of full scale.
  public var samples: [Int16] {
    switch self {
    case .wake: Self.tone(660, 0.07) + Self.tone(990, 0.09)
    case .end: Self.tone(880, 0.07) + Self.tone(587, 0.09)
    case .notUnderstood: Self.tone(330, 0.1) + Self.silence(0.06) + Self.tone(330, 0.1)
    case .ring:
      (0..<4).flatMap { _ in
        Self.tone(1_047, 0.12) + Self.silence(0.05) + Self.tone(1_319, 0.18) + Self.silence(0.35)
      }
    }
  }

  /// A sine that fades in and out over a quarter of its duration each.
  private static func tone(_ frequency: Double, _ seconds: Double) -> [Int16] {
    let count = AudioFormat.samples(seconds)
    let edge = Double(count) / 4
    return (0..<count).map { index in
      let distance = Double(min(index, count - 1 - index))
      let swell = distance < edge ? 0.5 - 0.5 * cos(.pi * distance / edge) : 1
      return Int16(8_191 * swell * sin(2 * .pi * frequency * AudioFormat.seconds(index)))
    }
  }

  private static func silence(_ seconds: Double) -> [Int16] {
    [Int16](repeating: 0, count: AudioFormat.samples(seconds))
  }
}
