import Glibc

/// The loss of steps that each belong to one of several classes, and its slope.
package enum CrossEntropy {
  /// The mean of −log softmax at the labelled steps' classes; 0 where none is labelled.
  ///
  /// - Parameters:
  ///   - logits: [steps][outputs].
  ///   - classes: one a step, each below `outputs` or ``Target/unlabelled``.
  ///   - scale: what the slope is multiplied by.
  ///   - gradient: [steps][outputs], overwritten.
  package static func window(
    _ logits: UnsafePointer<Float>, outputs: Int, classes: ArraySlice<UInt8>, scale: Float,
    gradient: UnsafeMutablePointer<Float>
  ) -> Double {
    let count = classes.reduce(0) { $0 + ($1 == Target.unlabelled ? 0 : 1) }
    var loss = 0.0
    for (step, label) in classes.enumerated() {
      let row = logits + step * outputs
      let slope = gradient + step * outputs
      guard label != Target.unlabelled else {
        slope.update(repeating: 0, count: outputs)
        continue
      }
      var highest = row[0]
      for output in 1..<outputs { highest = max(highest, row[output]) }
      var sum: Float = 0
      for output in 0..<outputs {
        slope[output] = expf(row[output] - highest)
        sum += slope[output]
      }
      let factor = scale / Float(count)
      for output in 0..<outputs { slope[output] *= factor / sum }
      slope[Int(label)] -= factor
      loss += Double(logf(sum) + highest - row[Int(label)])
    }
    return count > 0 ? loss / Double(count) : 0
  }
}
