import AudioCapture
import Detection
import Evaluation
import Glibc
import PCM
import Platform
import TestServers
import Testing

@testable import Training

/// Backgrounds that are made from a few synthetic recordings with the shipped encoder.
@Suite(.limited(minutes: 10), .serialized) struct BackgroundTests {
  private let folder = temporaryFolder()
  private let encoder: PhonemeEncoder
  private let settings: EncoderSettings

  private static let voices = ["m1", "m3", "m5", "m7", "f1", "f2", "f3", "f5"]

  init() throws {
    encoder = try PretrainedEncoder().encoder
    var settings = EncoderSettings()
    let synthesizer = try Synthesizer()
    var list = ""
    for voice in Self.voices {
      for (place, text) in [("said", "good morning"), ("other", "the weather is nice today, is it not")] {
        try Files.createFolder("\(folder)/\(place)/\(voice)")
        let speech = synthesizer.speak(text, SynthesisVoice(.espeak("en-us+\(voice)")))
        let pause = [Float](repeating: 0, count: 8000)
        try AudioFile.write(
          Level.integers(pause + speech.map { $0 * 0.4 } + pause), to: "\(folder)/\(place)/\(voice)/a.wav")
      }
      list += "said/\(voice)/a.wav\tgood morning\t\(voice)\n"
    }
    try Files.write(Array(list.utf8), to: "\(folder)/said.tsv")
    try Files.createFolder("\(folder)/noise")
    var random = RandomSource(seed: 3)
    try AudioFile.write(
      (0..<32_000).map { _ in Int16(random.uniform(-3000...3000)) }, to: "\(folder)/noise/a.wav")
    settings.transcripts = ["\(folder)/said.tsv"]
    settings.negatives = ["\(folder)/other"]
    settings.noise = ["\(folder)/noise"]
    settings.alignedHours = 0.01
    self.settings = settings
  }

  @Test func offsetsAreTheLogarithmOfTheFrequencyOfEachSoundAndOfSilence() {
    func stream(_ sounds: [UInt8]) -> FeatureStream {
      var stream = FeatureStream(kind: .speech, features: [], vectors: sounds.count, word: nil)
      stream.sounds = sounds
      return stream
    }
    let silence = [UInt8](repeating: Phoneme.silence.rawValue, count: 700)
    let unlabelled = [UInt8](repeating: Target.unlabelled, count: 99)
    let sounds = [UInt8](repeating: 2, count: 250) + [UInt8](repeating: 1, count: 49) + [3]
    let background = Background(streams: [stream(silence + unlabelled), stream(sounds)], encoder: "")
    let offsets = background.sounds(outputs: 5).offsets
    // Rare sounds and those that never occur count as one step in 500.
    for (offset, frequency) in zip(offsets, [0.7, 0.049, 0.25, 0.002, 0.002]) {
      #expect(abs(Double(offset) - log(frequency)) < 1e-6)
    }
    let none = Background(streams: [stream([])], encoder: "").sounds(outputs: 5).offsets
    #expect(none == [0, 0, 0, 0, 0])
  }

  @Test func itHasOtherSpeechAndRecordingsWithTheirSounds() throws {
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    try EncoderTrainer.writeBackground(of: encoder, settings, to: folder)
    let background = try Background(reading: "\(folder)/\(PretrainedEncoder.backgroundFile)")
    #expect(background.encoder == Background.identity(of: encoder.network))
    #expect(background.streams.contains { $0.kind == .noise && !$0.isHeldOut })
    #expect(background.streams.contains { $0.kind != .noise && $0.sounds.isEmpty })
    let aligned = background.streams.filter { !$0.sounds.isEmpty }
    #expect(aligned.count == 3)
    let dictionary = try #require(Pronunciations())
    let reading = ["good", "morning"].flatMap { dictionary.phonemes(of: $0)! }
    for stream in aligned {
      #expect(stream.sounds.count == stream.vectors && !stream.isHeldOut)
      #expect(stream.says(reading))
    }
    // The sounds are those of the outputs, which the look-ahead delays.
    var right = 0
    var all = 0
    for stream in aligned {
      for (step, sound) in stream.sounds.enumerated() where sound != Target.unlabelled && sound != 0 {
        let row = stream.features[step * 43..<(step + 1) * 43]
        right += row.firstIndex(of: row.max()!)! - row.startIndex == Int(sound) ? 1 : 0
        all += 1
      }
    }
    #expect(Double(right) > 0.35 * Double(all), "\(right) of \(all)")
  }

  @Test func bandsHaveTheRecordingsWithTheirSoundsAndTheNoise() throws {
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    var settings = settings
    settings.negatives = []
    // Sentences of four words or more, here the negatives.
    let list = Self.voices.map { "other/\($0)/a.wav\tthe weather is nice today is it not\t\($0)\n" }
    try Files.write(Array(list.joined().utf8), to: "\(folder)/other.tsv")
    settings.transcripts.append("\(folder)/other.tsv")
    try EncoderTrainer.writeBands(settings, alignedBy: encoder, to: folder)
    let bands = try SpeechBands(reading: "\(folder)/\(PretrainedEncoder.bandsFile)").streams
    let speech = bands.filter { $0.kind == .speech }
    // A fifth of the noise is held out, by its path.
    let noise = try NoiseRecordings(settings.noise, threads: 1).training
    #expect(speech.count == Self.voices.count && bands.count { $0.kind == .noise } == noise.count)
    let dictionary = try #require(Pronunciations())
    let reading = ["nice", "today"].flatMap { dictionary.phonemes(of: $0)! }
    for stream in speech { #expect(stream.sounds.count == stream.vectors && stream.says(reading)) }
  }

  @Test func clipsForThresholdsFollowEachOtherInRecordingsEveryOtherInNoise() throws {
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    let renderer = try FeatureRenderer(frontEnd: encoder.frontEnd, features: encoder.features)
    let shape = encoder.network.shape
    let step = shape.stride * AudioFormat.frameLength
    var isClean: [Bool] = []
    var counts: [Int] = []
    // Each folder has ten clips: a recording of eight and, after those of the other folders, one of two.
    try heldOut(clips: 10, hours: 1) { recording in
      var samples: [Int16] = []
      for clip in recording.clips {
        #expect(clip.steps.lowerBound == samples.count / step)
        let read = try! AudioFile.read(clip.path)
        #expect(clip.seconds == AudioFormat.seconds(read.count))
        // Whole steps, and whole hops of the embedding, which are 80 ms.
        samples += read + [Int16](repeating: 0, count: (1280 - read.count % 1280) % 1280)
        #expect(clip.steps.upperBound == samples.count / step)
      }
      let features = try! renderer.render(samples)
      let clean = NetworkScorer.logits(encoder.network, features: features).map { Float16($0) }
      #expect(abs(recording.outputs.count - clean.count) <= 4 * shape.outputs)
      isClean.append(recording.outputs == clean)
      counts.append(recording.clips.count)
    }
    #expect(counts == Self.voices.map { _ in 8 } + Self.voices.map { _ in 2 })
    #expect(isClean == counts.indices.map { $0 % 2 == 0 })
  }

  @Test func thresholdsAreSetOnRecordingsUpToTheHoursAsked() throws {
    defer { _ = try? Subprocess(["rm", "-rf", folder]).run(timeout: 10) }
    var seconds: [Double] = []
    try heldOut(clips: 1, hours: 5.0 / 3600) { seconds.append($0.seconds) }
    #expect(seconds.reduce(0, +) >= 5 && seconds.dropLast().reduce(0, +) < 5)
  }

  /// Calls `use` with the recordings of `clips` clips of each voice, up to `hours`.
  private func heldOut(clips: Int, hours: Double, use: (HeldOutNegatives.Recording) -> Void) throws {
    var corpus = try Corpus(background: settings.surroundings)
    corpus.heldOutNegatives = (0..<clips).flatMap { _ in Self.voices.map { "\(folder)/other/\($0)/a.wav" } }
    var surroundings = settings.surroundings
    surroundings.features = encoder.features
    surroundings.frontEnd = encoder.frontEnd
    HeldOutNegatives(corpus, encoder, surroundings).each(hours: hours, use: use)
  }
}
