import Glibc
import PCM
import Platform

/// Augments clips with the acoustic conditions in which a microphone may record them.
///
/// Keywords and all other audio pass through the same chain, so that only the words distinguish them:
/// neighbouring words of other speakers, equalization, room, background, level, and a noise floor for
/// digitally silent recordings.
package struct Augmenter: Sendable {
  /// The backgrounds to mix in.
  package let noise: NoiseSource
  /// Speech without the phrase, placed before and after it.
  package let speech: [[Float]]
  /// The share of recordings that receive a background, and of these the share with a loud background.
  package let noisyShare: Float
  package let loudShare: Float

  package init(
    noise: NoiseSource, speech: [[Float]], noisyShare: Float = 0.6, loudShare: Float = 0.25
  ) {
    self.noise = noise
    self.noisyShare = noisyShare
    self.loudShare = loudShare
    self.speech = speech.filter { $0.count >= AudioFormat.samples(1) && Level.rms($0[...]) > 1e-4 }
  }

  /// Augmented samples and the range of the phrase in them.
  package struct AugmentedClip: Sendable {
    package var samples: [Int16]
    package var word: Range<Int>
  }

  /// Returns the phrase after 0…2 s and before 1 s of silence, noise or other speech.
  ///
  /// - Parameters:
  ///   - samples: a recording.
  ///   - word: the phrase in it.
  ///   - least: the minimum length of the result in samples.
  package func keyword(
    _ samples: [Float], word: Range<Int>, least: Int, _ random: inout RandomSource
  ) -> AugmentedClip {
    let margin = AudioFormat.samples(0.25)
    let first = max(0, word.lowerBound - Int(random.uniform() * Float(margin)))
    let last = min(samples.count, word.upperBound + Int(random.uniform() * Float(margin)))
    var clip = Array(samples[first..<last])
    var start = word.lowerBound - first
    var end = word.upperBound - first
    if random.chance(0.6) {
      let ratio = Double(exp2f(random.uniform(-0.2...0.2)))
      clip = SpeedChange.resample(clip, by: ratio)
      start = Int(Double(start) * ratio)
      end = min(clip.count, Int(Double(end) * ratio))
    }
    Self.fade(&clip)
    let cold = random.chance(0.35)
    let lead = AudioFormat.samples(Double(cold ? random.uniform(0...0.3) : random.uniform(0.3...2)))
    let tail = max(least - lead - clip.count, AudioFormat.samples(Double(random.uniform(0.7...1.2))))
    let level = max(Level.active(clip), 1e-5)
    var stream = [Float](repeating: 0, count: lead + clip.count + tail)
    if !cold, random.chance(0.45) {
      let pause = min(lead, AudioFormat.samples(Double(random.uniform(0.03...0.4))))
      place(in: &stream, 0..<lead - pause, level: level, &random)
    }
    for index in clip.indices { stream[lead + index] += clip[index] }
    if random.chance(0.35) {
      let pause = AudioFormat.samples(Double(random.uniform(0.06...0.5)))
      let begin = min(stream.count, lead + clip.count + pause)
      place(in: &stream, begin..<stream.count, level: level, &random)
    }
    return AugmentedClip(samples: record(stream, &random), word: lead + start..<lead + end)
  }

  /// Returns speech in a room, with a background, at a random level.
  package func background(_ samples: [Float], _ random: inout RandomSource) -> [Int16] {
    var samples = samples
    if random.chance(0.4) {
      samples = SpeedChange.resample(samples, by: Double(exp2f(random.uniform(-0.2...0.2))))
    }
    return record(samples, &random)
  }

  /// Returns labelled speech in a room, with a background, at a random level, between pauses.
  package func background(_ clip: LabelledClip, _ random: inout RandomSource) -> LabelledClip {
    let ratio = random.chance(0.4) ? Double(exp2f(random.uniform(-0.2...0.2))) : 1
    var samples = SpeedChange.resample(Level.floats(clip.samples), by: ratio)
    Self.fade(&samples)
    let lead = AudioFormat.samples(Double(random.uniform(0...0.5)))
    let tail = AudioFormat.samples(Double(random.uniform(0.1...0.4)))
    samples =
      [Float](repeating: 0, count: lead) + samples + [Float](repeating: 0, count: tail)
    let phonemes = clip.phonemes.map {
      Phoneme.Span(
        phoneme: $0.phoneme,
        samples: lead + Int(Double($0.samples.lowerBound) * ratio)..<lead
          + Int(Double($0.samples.upperBound) * ratio))
    }
    return LabelledClip(
      samples: record(samples, &random),
      phonemes: [.init(phoneme: .silence, samples: 0..<lead)] + phonemes + [
        .init(phoneme: .silence, samples: samples.count - tail..<samples.count)
      ])
  }

  /// Returns the clips one after the other with pauses between them.
  package static func row(_ clips: [[Float]], _ random: inout RandomSource) -> [Float] {
    var row = [Float](repeating: 0, count: AudioFormat.samples(Double(random.uniform(0...0.5))))
    for clip in clips {
      var clip = clip
      fade(&clip)
      row += clip
      row += [Float](repeating: 0, count: AudioFormat.samples(Double(random.uniform(0.1...0.7))))
    }
    return row
  }

  /// Returns a background alone, at a level from quiet to loud.
  package func noise(seconds: Double, _ random: inout RandomSource) -> [Int16] {
    let samples = noise.draw(AudioFormat.samples(seconds), &random)
    let gain = Level.factor(random.uniform(-70 ... -15)) / max(Level.rms(samples[...]), 1e-6)
    return finish(samples.map { $0 * gain }, &random)
  }

  private func record(_ samples: [Float], _ random: inout RandomSource) -> [Int16] {
    var samples = samples
    if random.chance(0.5) { samples = Equalizer.random(&random).apply(samples) }
    if random.chance(0.5) { samples = RoomResponse.random(&random).applied(to: samples) }
    if random.chance(noisyShare) {
      let ratio = random.chance(loudShare) ? random.uniform(-3...8) : random.uniform(5...25)
      samples = Level.mix(samples, noise.draw(samples.count, &random), ratio: ratio)
    }
    let gain = Level.factor(random.uniform(-45 ... -12)) / max(Level.active(samples), 1e-6)
    return finish(samples.map { $0 * gain }, &random)
  }

  /// Adds a noise floor, most of the time, and converts to 16 bits.
  private func finish(_ samples: [Float], _ random: inout RandomSource) -> [Int16] {
    var samples = samples
    if random.chance(0.85) {
      let floor = Level.factor(random.uniform(-92 ... -62)) * 1.7
      var slow: Float = 0
      let darkness = random.uniform(0...0.9)
      for index in samples.indices {
        slow = darkness * slow + (1 - darkness) * random.uniform(-1...1)
        samples[index] += floor * slow / (1 - 0.7 * darkness)
      }
    }
    return Level.integers(samples)
  }

  private func place(
    in stream: inout [Float], _ range: Range<Int>, level: Float, _ random: inout RandomSource
  ) {
    guard !speech.isEmpty, range.count > AudioFormat.samples(0.15) else { return }
    let clip = speech[Int(random.next() % UInt64(speech.count))]
    let count = min(range.count, clip.count)
    let start = Int(random.next() % UInt64(clip.count - count + 1))
    var part = Array(clip[start..<start + count])
    Self.fade(&part)
    let gain = level * Level.factor(random.uniform(-8...4)) / max(Level.active(part), 1e-4)
    let offset = range.upperBound - count
    for index in 0..<count { stream[offset + index] += gain * part[index] }
  }

  /// Fades both ends over 8 ms: a cut must not identify the phrase.
  private static func fade(_ samples: inout [Float]) {
    let length = min(128, samples.count / 2)
    for index in 0..<length {
      let gain = Float(index) / Float(length)
      samples[index] *= gain
      samples[samples.count - 1 - index] *= gain
    }
  }
}
