import Glibc
import Platform

/// The positions of the sounds of a known text in speech: the best path through an encoder's posteriors.
///
/// A left-to-right hidden Markov model with one state per sound and an optional silence between words,
/// decoded by the Viterbi algorithm. See L. Rabiner, "A tutorial on hidden Markov models", 1989.
package struct Alignment: Sendable {
  /// The class of each step.
  package let path: [Phoneme]
  /// The mean over the spoken steps of the path's log posterior.
  package let score: Double

  /// - Parameters:
  ///   - logits: [steps][outputs] of an encoder.
  ///   - words: the sounds of each word.
  ///   - least: the minimum number of steps of each sound.
  /// - Returns: nil if the text is too long for the speech.
  package init?(_ logits: [Float], outputs: Int, words: [[Phoneme]], least: Int = 2) {
    // Each sound has `least` states in a row, the last with a loop; silence has one state that can be
    // skipped.
    var states: [(phoneme: Phoneme, loops: Bool, skips: Bool)] = [(.silence, true, true)]
    for word in words {
      for phoneme in word {
        for part in 0..<least { states.append((phoneme, part == least - 1, false)) }
      }
      states.append((.silence, true, true))
    }
    let steps = logits.count / outputs
    let count = states.count
    guard steps >= words.joined().count * least, count > 1 else { return nil }
    var best = [Float](repeating: -.infinity, count: count)
    best[0] = 0
    best[1] = 0
    var back = [UInt8](repeating: 0, count: steps * count)
    var posteriors = [Float](repeating: 0, count: outputs)
    var next = best
    for step in 0..<steps {
      let row = step * outputs
      var sum: Float = 0
      var highest: Float = -.infinity
      for output in 0..<outputs { highest = max(highest, logits[row + output]) }
      for output in 0..<outputs { sum += expf(logits[row + output] - highest) }
      let norm = highest + logf(sum)
      for output in 0..<outputs { posteriors[output] = logits[row + output] - norm }
      for state in 0..<count {
        var value: Float = -.infinity
        var from: UInt8 = 0
        if step == 0 {
          value = best[state]
        } else {
          if states[state].loops { value = best[state] }
          if state > 0, best[state - 1] > value {
            value = best[state - 1]
            from = 1
          }
          if state > 1, states[state - 1].skips, best[state - 2] > value {
            value = best[state - 2]
            from = 2
          }
        }
        next[state] = value + posteriors[Int(states[state].phoneme.rawValue)]
        back[step * count + state] = from
      }
      swap(&best, &next)
    }
    var state = best[count - 1] >= best[count - 2] ? count - 1 : count - 2
    guard best[state].isFinite else { return nil }
    var path: [Phoneme] = []
    for step in (0..<steps).reversed() {
      path.append(states[state].phoneme)
      state -= Int(back[step * count + state])
    }
    self.path = path.reversed()
    var total = 0.0
    var spoken = 0
    for (step, phoneme) in self.path.enumerated() where phoneme != .silence {
      let row = logits[step * outputs..<(step + 1) * outputs]
      total += Double(logits[step * outputs + Int(phoneme.rawValue)] - row.logSum)
      spoken += 1
    }
    score = spoken > 0 ? total / Double(spoken) : -.infinity
  }
}

extension Collection<Float> {
  /// The logarithm of the sum of the exponentials: what makes logits log posteriors when it is subtracted. Not empty.
  var logSum: Float {
    let highest = self.max()!
    return highest + logf(reduce(0) { $0 + expf($1 - highest) })
  }
}
