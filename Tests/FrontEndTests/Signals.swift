import FrontEnd
import Glibc
import PCM
import Platform

/// Runs whole signals through a front end, frame by frame.
func processed(
  _ samples: [Int16], by frontEnd: FrontEnd, reference: [Int16]? = nil
) -> (samples: [Int16], activity: [FrameActivity]) {
  var output = samples
  var activity: [FrameActivity] = []
  let length = AudioFormat.frameLength
  output.withUnsafeMutableBufferPointer { buffer in
    for start in stride(from: 0, through: buffer.count - length, by: length) {
      let frame = UnsafeMutableBufferPointer(rebasing: buffer[start..<start + length])
      if let reference {
        reference.withUnsafeBufferPointer {
          let played = UnsafeBufferPointer(rebasing: $0[start..<start + length])
          activity.append(frontEnd.process(frame, reference: played))
        }
      } else {
        activity.append(frontEnd.process(frame))
      }
    }
  }
  return (output, activity)
}

/// Signals made from a seed, in whole frames.
enum Signals {
  static func noise(seconds: Double, amplitude: Float, seed: UInt64 = 1) -> [Int16] {
    var random = RandomSource(seed: seed)
    return (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.uniform(-amplitude...amplitude)) }
  }

  static func tone(_ frequency: Double, seconds: Double, amplitude: Double) -> [Int16] {
    (0..<AudioFormat.samples(seconds)).map {
      Int16(amplitude * sin(2 * .pi * frequency * AudioFormat.seconds($0)))
    }
  }

  /// Voiced syllables: a gliding pulse train through three resonances, four syllables a second with pauses.
  static func speechLike(seconds: Double, amplitude: Float, seed: UInt64 = 7) -> [Int16] {
    var random = RandomSource(seed: seed)
    let count = AudioFormat.samples(seconds)
    var output = [Float](repeating: 0, count: count)
    var resonators: [(a: Float, b: Float, y1: Float, y2: Float)] = []
    var phase: Float = 0
    var pitch: Float = 120
    for index in 0..<count {
      let position = index % 4000
      if position == 0 {
        pitch = random.uniform(90...220)
        let formants: [Float] = [
          random.uniform(300...800), random.uniform(900...2200), random.uniform(2300...3200),
        ]
        resonators = formants.map {
          let radius: Float = 0.97
          return (2 * radius * cosf(2 * .pi * $0 / 16_000), -radius * radius, 0, 0)
        }
      }
      phase += pitch * (1 - 0.2 * Float(position) / 4000) / 16_000
      var excitation = random.uniform(-0.02...0.02)
      if phase >= 1 {
        phase -= 1
        excitation += 1
      }
      let envelope = position < 2800 ? sinf(.pi * Float(position) / 2800) : 0
      var sum: Float = 0
      for which in resonators.indices {
        let y =
          excitation * envelope + resonators[which].a * resonators[which].y1
          + resonators[which].b * resonators[which].y2
        resonators[which].y2 = resonators[which].y1
        resonators[which].y1 = y
        sum += y
      }
      output[index] = sum
    }
    let peak = output.map(abs).max() ?? 1
    return output.map { Int16($0 / peak * amplitude) }
  }

  /// The mean power of `samples[range]` in dB relative to full scale.
  static func level(_ samples: [Int16], _ range: Range<Int>) -> Double {
    let energy = samples[range].reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(energy / Double(range.count) / (32_768 * 32_768) + 1e-12)
  }

  /// The lag in 0..<480 at which `output` is most like `input`.
  static func lag(of output: [Int16], behind input: [Int16], in range: Range<Int>) -> Int {
    var best = (lag: 0, value: -Double.infinity)
    for lag in 0..<480 {
      var sum = 0.0
      for index in range { sum += Double(input[index]) * Double(output[index + lag]) }
      if sum > best.value { best = (lag, sum) }
    }
    return best.lag
  }

  static func sum(_ first: [Int16], _ second: [Int16]) -> [Int16] {
    zip(first, second).map { Int16(clamping: Int($0) + Int($1)) }
  }
}
