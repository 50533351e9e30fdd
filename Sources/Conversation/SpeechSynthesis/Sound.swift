import Glibc
import PCM
import Platform

/// Short sounds that tell what the assistant does, computed: two tones of a sine each.
public enum Sound: String, Sendable, CaseIterable {
  /// It listens: the tones rise.
  case wake
  /// It listens no longer: the tones fall.
  case end
  /// A timer is over: four times two high tones.
  case ring

  /// 16 kHz, a quarter of full scale at most.
  public var samples: [Int16] {
    switch self {
    case .wake: Self.tone(660, 0.07) + Self.tone(990, 0.09)
    case .end: Self.tone(880, 0.07) + Self.tone(587, 0.09)
    case .ring:
      (0..<4).flatMap { _ in
        Self.tone(1_047, 0.12) + Self.silence(0.05) + Self.tone(1_319, 0.18) + Self.silence(0.35)
      }
    }
  }

  /// A sine that swells and fades over a quarter of its time each.
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
