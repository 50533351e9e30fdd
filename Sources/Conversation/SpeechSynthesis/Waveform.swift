import AudioCapture
import PCM
import Platform

/// Whole recordings brought to 16 kHz mono.
enum Waveform {
  /// The samples of a WAV, the mean of its channels; nil for what is none or has no samples.
  static func decoded(wav bytes: [UInt8]) -> [Int16]? {
    var decoder = WAVDecoder()
    var samples: [Float] = []
    guard (try? decoder.push(bytes[...], into: &samples)) != nil, let header = decoder.header else {
      return nil
    }
    let frames = samples.count / header.channels
    guard frames > 0 else { return nil }
    samples.withUnsafeMutableBufferPointer {
      let start = $0.baseAddress!
      SampleConversion.mix(start, frames: frames, channels: header.channels, channel: nil, into: start)
    }
    samples.removeLast(samples.count - frames)
    return resampled(samples, from: header.sampleRate)
  }

  /// Samples of full scale ±1 at `rate` per second, within `Resampler.inputRates`.
  static func resampled(_ samples: [Float], from rate: Int) -> [Int16] {
    let resampler = Resampler(from: rate)
    var output: [Int16] = []
    output.reserveCapacity(samples.count * AudioFormat.sampleRate / rate + 1)
    var block = [Float](repeating: 0, count: 4_096)
    var taken = 0
    while true {
      let step = samples.withUnsafeBufferPointer { input in
        block.withUnsafeMutableBufferPointer { block in
          guard let base = input.baseAddress else { return (consumed: 0, produced: 0) }
          return resampler.process(
            base + taken, count: input.count - taken, isEnd: true, into: block.baseAddress!,
            capacity: block.count)
        }
      }
      taken += step.consumed
      output += block[..<step.produced].map(SampleConversion.int16)
      if step.produced == 0, step.consumed == 0 || taken == samples.count { return output }
    }
  }
}
