/// Speech with the sounds in it.
package struct LabelledClip: Sendable {
  package var samples: [Int16]
  /// In order; what lies between them is not labelled.
  package var phonemes: [Phoneme.Span]

  package init(samples: [Int16], phonemes: [Phoneme.Span]) {
    self.samples = samples
    self.phonemes = phonemes
  }
}
