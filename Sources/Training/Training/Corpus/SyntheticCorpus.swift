import Detection
import PCM
import Platform

extension Corpus {
  /// The shares of the phrase's and of the other texts that a ``SynthesizerCommand`` speaks, if there is one.
  private static let commandShare: (phrase: Float, others: Float) = (0.5, 0.25)

  /// Speaks the phrase and other text. A part of the voices is held out.
  ///
  /// - Throws: ``TrainingFault/synthesizerFailed(command:reason:)``, ``TrainingFault/synthesizerNeedsText``.
  mutating func synthesize(
    _ script: PhraseScript, _ synthesizer: Synthesizer, _ settings: TrainingSettings,
    _ progress: (TrainingProgress) -> Void
  ) throws(TrainingFault) {
    let total = settings.syntheticPositives + settings.syntheticNegatives
    let root = RandomSource(seed: settings.seed).stream(1)
    let command = settings.synthesizer.map { SynthesizerCommand($0) }
    if command != nil, !script.isSpokenAsText { throw .synthesizerNeedsText }
    let texts = (0..<total).map { index -> (input: SynthesisInput, voice: SynthesisVoice) in
      var random = root.stream(index)
      let isPhrase = index < settings.syntheticPositives
      let share = isPhrase ? Self.commandShare.phrase : Self.commandShare.others
      let isForCommand = command != nil && random.chance(share)
      let input =
        isPhrase ? script.positive(&random, isText: isForCommand) : script.negative(&random)
      let isByCommand = isForCommand && input.isText(in: script.language)
      return (input, isByCommand ? .ofCommand(&random) : script.voice(for: input, &random))
    }
    let spoken = try synthesizer.speak(texts, command: command) { part in
      progress(TrainingProgress(activity: "synthesizing speech", part: part))
    }
    for (index, samples) in spoken.enumerated() {
      let voice = texts[index].voice
      if index < settings.syntheticPositives {
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
