import PCM
import Platform

/// Synthetic speech of anything, with its sounds: words of the dictionary and sentences, by voices of many languages.
enum SyntheticSpeech {
  /// Languages whose letter-to-sound rules read English words their own way: other sounds, other rhythm.
  private static let languages = ["de", "nl", "fr", "es", "it", "pl", "sv", "pt-br", "ro", "cs", "fi", "tr"]

  /// - Throws: ``TrainingFault/noSynthesizer(_:)``.
  static func clips(_ count: Int, seed: UInt64) throws(TrainingFault) -> [LabelledClip] {
    let synthesizer = try Synthesizer()
    let words = Pronunciations()?.entries.map(\.word) ?? Sentences.words
    let root = RandomSource(seed: seed).stream(3)
    var clips: [LabelledClip] = []
    for index in 0..<count {
      var random = root.stream(index)
      var voice = Voice.random(&random)
      if random.chance(0.3), case .espeak(let name) = voice.engine {
        let language = languages[Int(random.next() % UInt64(languages.count))]
        voice.engine = .espeak(language + name.drop { $0 != "+" })
      }
      let text =
        random.chance(0.2)
        ? Sentences.all[Int(random.next() % UInt64(Sentences.all.count))]
        : (0..<(1 + Int(random.next() % 6))).map { _ in words[Int(random.next() % UInt64(words.count))] }
          .joined(separator: " ")
      let speech = synthesizer.pronounce(text, voice)
      guard speech.samples.count > AudioFormat.samples(0.2) else { continue }
      clips.append(LabelledClip(samples: Level.integers(speech.samples), phonemes: speech.phonemes))
    }
    return clips
  }
}
