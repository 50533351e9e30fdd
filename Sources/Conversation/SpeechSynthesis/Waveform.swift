import AudioCapture
import PCM
import Platform

/// Conversion of whole recordings to 16 kHz mono.
enum Waveform {
  /// The samples of a WAV, the mean of its channels; nil if it is not a WAV or has no samples.
  static func decoded(wav bytes: [UInt8]) -> [Int16]? {
    var decoder = WAVDecoder()
    var samples: [Float] = []
    guard (try? decoder.push(bytes[...], into: &samples)) != nil, let header = decoder.header else {
      return nil
    }
    SampleConversion.mix(&samples, channels: header.channels)
    return samples.isEmpty ? nil : resampled(samples, from: header.sampleRate)
  }

  /// Samples of full scale ±1 at `rate` per second, within `Resampler.inputRates`.
  static func resampled(_ samples: [Float], from rate: Int) -> [Int16] {
    var output: [Int16] = []
    output.reserveCapacity(samples.count * AudioFormat.sampleRate / rate + 1)
    Resampler(from: rate).convert(samples, isEnd: true, appendingTo: &output)
    return output
  }
}
