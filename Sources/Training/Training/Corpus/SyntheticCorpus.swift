import Detection
import PCM
import Platform

extension Corpus {
  /// Speaks the phrase and other text. A part of the voices is held out.
  mutating func synthesize(
    _ script: PhraseScript, _ synthesizer: Synthesizer, _ settings: TrainingSettings,
    _ progress: (TrainingProgress) -> Void
  ) {
    let total = settings.syntheticPositives + settings.syntheticNegatives
    let root = RandomSource(seed: settings.seed).stream(1)
    for index in 0..<total {
      if index % 100 == 0 {
        progress(TrainingProgress(activity: "synthesizing speech", part: Double(index) / Double(total)))
      }
      var random = root.stream(index)
      let isPositive = index < settings.syntheticPositives
      let input = isPositive ? script.positive(&random) : script.negative(&random)
      let voice = script.voice(for: input, &random)
      let samples = synthesizer.speak(input, voice)
      if isPositive {
        guard samples.count > AudioFormat.samples(0.15) else { continue }
        let utterance = Utterance(
          name: "\(voice.engine)", group: voice.speaker, samples: Level.integers(samples),
          word: 0..<samples.count)
        if voice.isHeldOut {
          heldOutSynthetic.append(utterance)
        } else {
          syntheticPositives.append(utterance)
        }
      } else if !voice.isHeldOut, samples.count > AudioFormat.samples(0.1) {
        syntheticNegatives.append(Level.integers(samples))
      }
    }
  }

  /// Speaks similar phrases by the voices that are held out.
  mutating func synthesizeSimilar(
    _ script: PhraseScript, _ synthesizer: Synthesizer, _ settings: TrainingSettings
  ) {
    let root = RandomSource(seed: settings.seed).stream(11)
    for (index, phrase) in script.similar.measured.enumerated() {
      var random = root.stream(index)
      for _ in 0..<(phrase.isPart ? SimilarSpeech.voicesForPart : SimilarSpeech.voicesForSimilar) {
        var voice = script.voice(for: phrase.input, &random)
        for _ in 0..<200 where !voice.isHeldOut { voice = script.voice(for: phrase.input, &random) }
        let samples = synthesizer.speak(phrase.input, voice)
        guard voice.isHeldOut, samples.count > AudioFormat.samples(0.1) else { continue }
        similar.append(SimilarSpeech.Utterance(phrase: phrase, samples: Level.integers(samples)))
      }
    }
  }
}

extension SynthesisVoice {
  fileprivate var isHeldOut: Bool { stableHash("speaker" + speaker) % 100 < 15 }
}
