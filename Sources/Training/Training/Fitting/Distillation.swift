import Detection

/// Windows of another source, with the mean output of several networks as targets.
///
/// A network that is fitted to them replaces the several at their accuracy and the cost of one: Hinton, Vinyals and Dean,
/// "Distilling the knowledge in a neural network", 2015.
package struct DistillationWindows: BatchSource {
  private let source: any BatchSource
  private let teachers: [NetworkWeights]

  /// - Parameter teachers: networks of one shape with one output.
  package init(_ source: any BatchSource, teachers: [NetworkWeights]) {
    precondition(!teachers.isEmpty, "there are networks to learn from")
    self.source = source
    self.teachers = teachers
  }

  package func batch(_ index: Int) -> Batch {
    var batch = source.batch(index)
    let size = batch.frames * teachers[0].shape.inputs
    let scorers = teachers.map { NetworkScorer($0) }
    batch.features.withUnsafeBufferPointer { features in
      batch.targets = (0..<batch.count).map { window in
        let part = UnsafeBufferPointer(rebasing: features[window * size..<(window + 1) * size])
        var sums: [Float] = []
        for scorer in scorers {
          var logits: [Float] = []
          scorer.reset()
          scorer.score(part, into: &logits)
          sums = sums.isEmpty ? logits : zip(sums, logits).map(+)
        }
        return .outputs(sums.map { $0 / Float(teachers.count) })
      }
    }
    return batch
  }
}
