import Detection
import Glibc
import PCM
import Platform

/// The impulse response of a simulated room between speaker and microphone.
///
/// Consists of the direct sound, six first reflections of a rectangular room by the image method (Allen and
/// Berkley, 1979), and a tail of exponentially decaying noise whose high frequencies decay faster, as in a
/// furnished room.
package struct RoomResponse: Sendable {
  /// The time until the reverberation has decayed by 60 dB, in seconds.
  package let reverberationTime: Float
  /// The impulse response at 16 kHz; the direct sound is sample 0 with unit gain.
  package let response: [Float]

  /// Returns a random room with a reverberation time of 0.1…0.7 s and the speaker at 0.3…4 m.
  package static func random(_ random: inout RandomSource) -> RoomResponse {
    RoomResponse(
      reverberationTime: 0.1 * powf(7, random.uniform()), distance: 0.3 * powf(12, random.uniform()), &random)
  }

  /// - Parameters:
  ///   - reverberationTime: in seconds, above 0.
  ///   - distance: metres between speaker and microphone; sets the ratio of direct to reverberant sound.
  package init(reverberationTime: Float, distance: Float, _ random: inout RandomSource) {
    self.reverberationTime = reverberationTime
    let rate = Float(AudioFormat.sampleRate)
    let count = max(64, Int(reverberationTime * 0.9 * rate))
    var response = [Float](repeating: 0, count: count)
    let decay = logf(1000) / (reverberationTime * rate)
    // The critical distance of a living room increases with its volume and decreases with its reverberation
    // time.
    let critical = 0.057 * (random.uniform(25...90) / reverberationTime).squareRoot()
    let tailEnergy = (distance / critical) * (distance / critical)
    var low: Float = 0
    var energy: Float = 0
    let onset = Int(random.uniform(0.002...0.006) * rate)
    for index in onset..<count {
      let noise = random.uniform(-1...1)
      let darkness = min(0.75, 0.1 + 0.6 * Float(index) / Float(count))
      low += (1 - darkness) * (noise - low)
      response[index] = low * expf(-decay * Float(index))
      energy += response[index] * response[index]
    }
    let gain = energy > 0 ? (min(tailEnergy, 6) / energy).squareRoot() : 0
    for index in onset..<count { response[index] *= gain }
    response[0] = 1
    let reflection = expf(-0.09 / reverberationTime) * 0.8
    for _ in 0..<6 {
      let path = random.uniform(0.3...6)
      let delay = Int(path / 343 * rate)
      let level = reflection * distance / (distance + path)
      if delay > 0, delay < count { response[delay] += random.chance(0.5) ? level : -level * 0.5 }
    }
    self.response = response
  }

  /// Creates a room from a measured response; the reverberation time is unknown.
  package init(response: [Float]) {
    self.response = response
    reverberationTime = 0
  }

  /// Creates a room from the recording of an impulse: from its peak, the direct sound, for up to a second.
  ///
  /// - Returns: nil for silence.
  package init?(recording: [Float]) {
    guard let peak = recording.indices.max(by: { abs(recording[$0]) < abs(recording[$1]) }),
      abs(recording[peak]) > 1e-4
    else { return nil }
    let count = min(recording.count - peak, Int(AudioFormat.sampleRate))
    let faded = max(1, count / 5)
    self.init(
      response: (0..<count).map { index in
        recording[peak + index] / recording[peak] * min(1, Float(count - index) / Float(faded))
      })
  }

  /// Returns `samples` as recorded in the room, with the same number of samples.
  ///
  /// A convolution in the frequency domain by overlap-add.
  package func applied(to samples: [Float]) -> [Float] {
    guard !samples.isEmpty, !response.isEmpty else { return samples }
    var size = 1024
    while size < 2 * response.count { size *= 2 }
    let forward = FourierTransform(size: size)
    let inverse = FourierTransform(size: size, direction: .inverse)
    for index in response.indices { forward.samples[index] = response[index] }
    forward.run()
    // The inverse transform multiplies by the size.
    let transfer = (0..<size + 2).map { forward.spectrum[$0] / Float(size) }
    let block = size - response.count + 1
    var result = [Float](repeating: 0, count: samples.count)
    for start in stride(from: 0, to: samples.count, by: block) {
      let count = min(block, samples.count - start)
      for index in 0..<size { forward.samples[index] = index < count ? samples[start + index] : 0 }
      forward.run()
      for bin in stride(from: 0, to: size + 2, by: 2) {
        let (real, imaginary) = (forward.spectrum[bin], forward.spectrum[bin + 1])
        inverse.spectrum[bin] = real * transfer[bin] - imaginary * transfer[bin + 1]
        inverse.spectrum[bin + 1] = real * transfer[bin + 1] + imaginary * transfer[bin]
      }
      inverse.run()
      for index in 0..<min(size, samples.count - start) { result[start + index] += inverse.samples[index] }
    }
    return result
  }
}
