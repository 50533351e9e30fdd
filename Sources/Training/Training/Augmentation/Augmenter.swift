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
  /// The share of recordings that are the start of a stream.
  package let coldShare: Float
  /// Measured rooms; half of the rooms are measured if there are any.
  package let rooms: [RoomResponse]
  private let voiceChange: VoiceChange

  package init(
    noise: NoiseSource, speech: [[Float]], noisyShare: Float = 0.6, loudShare: Float = 0.25,
    coldShare: Float = 0.15, rooms: [RoomResponse] = [], childShare: Float = 0
  ) {
    self.noise = noise
    self.coldShare = coldShare
    self.rooms = rooms
    voiceChange = VoiceChange(childShare: childShare)
    self.noisyShare = noisyShare
    self.loudShare = loudShare
    self.speech = speech.filter { $0.count >= AudioFormat.samples(1) && Level.rms($0[...]) > 1e-4 }
  }

  /// Augmented audio after a warm-up.
  package struct AugmentedClip: Sendable {
    package var samples: [Int16]
    /// The samples before the clip, whole frames: the front end processes them, so that it has settled as in a service
    /// that has been running, and their features are discarded. 0 for a stream that starts with the clip.
    package var warmUp: Int
    /// The ranges of the phrase or of the sounds in `samples`.
    package var spans: [Range<Int>]

    package init(samples: [Int16], warmUp: Int, spans: [Range<Int>]) {
      self.samples = samples
      self.warmUp = warmUp
      self.spans = spans
    }
  }

  /// The share of phrases after which other speech follows in one breath, as a command does.
  static let oneBreathShare: Float = 0.3
  /// The seconds of a warm-up; the slow mean has a time constant of 2 s.
  private static let warmUpSeconds: ClosedRange<Float> = 3...8

  /// Returns the phrase after 0…2 s and before 1 s of silence, noise or other speech, which may follow without a pause.
  ///
  /// - Parameters:
  ///   - samples: a recording.
  ///   - word: the phrase in it.
  ///   - least: the minimum length of the result in samples, without the warm-up.
  package func keyword(
    _ samples: [Float], word: Range<Int>, least: Int, _ random: inout RandomSource
  ) -> AugmentedClip {
    let margin = AudioFormat.samples(0.25)
    let isInOneBreath = random.chance(Self.oneBreathShare)
    let first = max(0, word.lowerBound - Int(random.uniform() * Float(margin)))
    let last = min(
      samples.count,
      word.upperBound + Int(random.uniform() * Float(isInOneBreath ? AudioFormat.samples(0.02) : margin)))
    var clip = Array(samples[first..<last])
    var start = word.lowerBound - first
    var end = word.upperBound - first
    if random.chance(0.6) {
      let ratio: Double
      (clip, ratio) = voiceChange.apply(clip, &random)
      start = Int(Double(start) * ratio)
      end = min(clip.count, Int(Double(end) * ratio))
    }
    Self.fade(&clip)
    let level = max(Level.active(clip), 1e-5)
    let warmUp = self.warmUp(level: level, &random)
    let isAtOnce = random.chance(0.35)
    let pause = AudioFormat.samples(
      Double(isAtOnce ? random.uniform(0...0.3) : random.uniform(0.3...2)))
    let tail = max(least - pause - clip.count, AudioFormat.samples(Double(random.uniform(0.7...1.2))))
    let lead = warmUp.count + pause
    var stream = warmUp + [Float](repeating: 0, count: pause + clip.count + tail)
    if !isAtOnce, random.chance(0.45) {
      let gap = min(pause, AudioFormat.samples(Double(random.uniform(0.03...0.4))))
      place(in: &stream, warmUp.count..<lead - gap, level: level, &random)
    }
    for index in clip.indices { stream[lead + index] += clip[index] }
    if isInOneBreath {
      let gap = AudioFormat.samples(Double(random.uniform(0...0.05)))
      let begin = min(stream.count, lead + clip.count + gap)
      place(in: &stream, begin..<stream.count, level: level, startsWithSpeech: true, &random)
    } else if random.chance(0.35) {
      let gap = AudioFormat.samples(Double(random.uniform(0.06...0.5)))
      let begin = min(stream.count, lead + clip.count + gap)
      place(in: &stream, begin..<stream.count, level: level, &random)
    }
    return AugmentedClip(
      samples: record(coloured(stream, &random), warmUp: warmUp.count, &random), warmUp: warmUp.count,
      spans: [lead + start..<lead + end])
  }

  /// Returns speech in a room, with a background, at a random level.
  ///
  /// - Parameter spans: ranges of `samples` whose positions in the result are wanted.
  package func background(
    _ samples: [Float], spans: [Range<Int>] = [], _ random: inout RandomSource
  ) -> AugmentedClip {
    let (samples, spans) = inAnotherVoice(samples, spans, &random)
    let warmUp = self.warmUp(level: max(Level.active(samples), 1e-5), &random)
    return AugmentedClip(
      samples: record(coloured(warmUp + samples, &random), warmUp: warmUp.count, &random),
      warmUp: warmUp.count,
      spans: spans.map { $0.lowerBound + warmUp.count..<$0.upperBound + warmUp.count })
  }

  /// Returns clips of several speakers one after the other, each with its own room, level and voice, with pauses between
  /// them and one background.
  ///
  /// - Parameter clips: samples, −1…1, and the ranges whose positions in the result are wanted.
  package func sequence(
    _ clips: [(samples: [Float], spans: [Range<Int>])], _ random: inout RandomSource
  ) -> AugmentedClip {
    var stream: [Float] = []
    var spans: [Range<Int>] = []
    var warmUp = 0
    for (index, clip) in clips.enumerated() {
      var (samples, ranges) = inAnotherVoice(clip.samples, clip.spans, &random)
      Self.fade(&samples)
      samples = coloured(samples, &random)
      let level = Level.factor(random.uniform(-6...0))
      let gain = level / max(Level.active(samples), 1e-5)
      if index == 0 {
        stream = self.warmUp(level: level, &random)
        warmUp = stream.count
      }
      let pause = random.chance(0.2) ? random.uniform(0.5...3) : random.uniform(0...0.5)
      stream += [Float](repeating: 0, count: AudioFormat.samples(Double(pause)))
      spans += ranges.map { $0.lowerBound + stream.count..<$0.upperBound + stream.count }
      stream += samples.map { $0 * gain }
    }
    stream += [Float](repeating: 0, count: AudioFormat.samples(Double(random.uniform(0.1...0.4))))
    return AugmentedClip(samples: record(stream, warmUp: warmUp, &random), warmUp: warmUp, spans: spans)
  }

  /// Returns seconds of silence, sometimes with speech; the background is added later.
  private func warmUp(level: Float, _ random: inout RandomSource) -> [Float] {
    guard !random.chance(coldShare) else { return [] }
    let frames = AudioFormat.samples(Double(random.uniform(Self.warmUpSeconds))) / AudioFormat.frameLength
    var stream = [Float](repeating: 0, count: frames * AudioFormat.frameLength)
    if random.chance(0.3) {
      let start = AudioFormat.samples(Double(random.uniform(0...2)))
      let end = stream.count - AudioFormat.samples(Double(random.uniform(0...1)))
      place(in: &stream, start..<end, level: level, &random)
    }
    return stream
  }

  private func inAnotherVoice(
    _ samples: [Float], _ spans: [Range<Int>], _ random: inout RandomSource
  ) -> ([Float], [Range<Int>]) {
    guard random.chance(0.4) else { return (samples, spans) }
    let (changed, ratio) = voiceChange.apply(samples, &random)
    return (
      changed,
      spans.map { Int(Double($0.lowerBound) * ratio)..<Int(Double($0.upperBound) * ratio) }
    )
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
  package func noise(seconds: Double, _ random: inout RandomSource) -> AugmentedClip {
    let samples = noise.draw(AudioFormat.samples(seconds), &random)
    let gain = Level.factor(random.uniform(-70 ... -15)) / max(Level.rms(samples[...]), 1e-6)
    return AugmentedClip(samples: finish(samples.map { $0 * gain }, &random), warmUp: 0, spans: [])
  }

  /// Returns samples as recorded by another microphone in another room.
  private func coloured(_ samples: [Float], _ random: inout RandomSource) -> [Float] {
    var samples = samples
    if random.chance(0.5) { samples = Equalizer.random(&random).apply(samples) }
    if random.chance(0.5) { samples = room(&random).applied(to: samples) }
    return samples
  }

  private func room(_ random: inout RandomSource) -> RoomResponse {
    guard !rooms.isEmpty, random.chance(0.5) else { return .random(&random) }
    return rooms[Int(random.next() % UInt64(rooms.count))]
  }

  /// Adds a background, whose level is relative to the speech after the warm-up, and sets a random level.
  private func record(_ samples: [Float], warmUp: Int, _ random: inout RandomSource) -> [Int16] {
    var samples = samples
    let level = Level.active(Array(samples[warmUp...]))
    if random.chance(noisyShare) {
      let ratio = random.chance(loudShare) ? random.uniform(-3...8) : random.uniform(5...25)
      samples = Level.mix(
        samples, noise.draw(samples.count, &random), ratio: ratio, measuredFrom: warmUp)
    }
    let gain = Level.factor(random.uniform(-45 ... -12)) / max(level, 1e-6)
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

  /// Adds other speech to a range of `stream`, up to its end.
  ///
  /// - Parameter startsWithSpeech: adds speech from a word on, at the start of the range.
  private func place(
    in stream: inout [Float], _ range: Range<Int>, level: Float, startsWithSpeech: Bool = false,
    _ random: inout RandomSource
  ) {
    guard !speech.isEmpty, range.count > AudioFormat.samples(0.15) else { return }
    let clip = speech[Int(random.next() % UInt64(speech.count))]
    let count = min(range.count, clip.count)
    var start = Int(random.next() % UInt64(clip.count - count + 1))
    if startsWithSpeech { start = Self.nextSpeech(in: clip, from: start) }
    var part = Array(clip[start..<min(clip.count, start + count)])
    Self.fade(&part)
    let gain = level * Level.factor(random.uniform(-8...4)) / max(Level.active(part), 1e-4)
    let offset = startsWithSpeech ? range.lowerBound : range.upperBound - part.count
    for index in part.indices { stream[offset + index] += gain * part[index] }
  }

  /// Returns the first frame from `start` on that is not more than 15 dB below the level of the speech in `clip`.
  private static func nextSpeech(in clip: [Float], from start: Int) -> Int {
    let limit = Level.active(clip) * Level.factor(-15)
    let frame = AudioFormat.frameLength
    return stride(from: start, through: clip.count - frame, by: frame).first {
      Level.rms(clip[$0..<$0 + frame]) >= limit
    } ?? start
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
