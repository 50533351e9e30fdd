import Glibc

/// The position of a phrase in speech and how well it matches there, compared with the likeliest other
/// sounds.
///
/// A Viterbi search for any sounds, the phrase, any sounds. The cost of a sound is its log posterior minus
/// that of the likeliest sound: the competing model is a free loop of phonemes, as usual in keyword spotting.
/// See R. Rose and D. Paul, "A hidden Markov model based keyword recognition system", 1990.
package struct PhraseSearch: Sendable, Equatable {
  /// The steps of the phrase.
  package let steps: Range<Int>
  /// The average cost of each sound over its steps, averaged over all sounds of the phrase; at most 0.
  package let score: Double
  /// The number of sounds before and after the phrase, without silence and sounds of one step.
  package let soundsBefore: Int
  package let soundsAfter: Int

  package init(steps: Range<Int>, score: Double, soundsBefore: Int, soundsAfter: Int) {
    self.steps = steps
    self.score = score
    self.soundsBefore = soundsBefore
    self.soundsAfter = soundsAfter
  }

  /// The maximum cost of a step outside the phrase.
  private static let outside: Float = 1.5
  /// The minimum number of steps of a sound.
  private static let least = 2

  /// Finds the best of `readings`, each the sounds of its words. Returns nil if none is short enough for the
  /// speech.
  ///
  /// - Parameter logits: [steps][outputs] of an encoder.
  package init?(_ logits: [Float], outputs: Int, readings: [[[Phoneme]]]) {
    let costs = Self.costs(logits, outputs)
    let found = readings.compactMap { Self.find($0, costs, outputs) }.max { $0.score < $1.score }
    guard let found else { return nil }
    steps = found.steps
    score = found.score
    soundsBefore = Self.sounds(costs, outputs, 0..<steps.lowerBound)
    soundsAfter = Self.sounds(costs, outputs, steps.upperBound..<costs.count / outputs)
  }

  /// Returns the log posteriors minus the highest of their step; the normalization cancels.
  private static func costs(_ logits: [Float], _ outputs: Int) -> [Float] {
    var costs = logits
    for row in stride(from: 0, to: logits.count - outputs + 1, by: outputs) {
      let highest = logits[row..<row + outputs].max()!
      for output in 0..<outputs { costs[row + output] -= highest }
    }
    return costs
  }

  private static func find(
    _ words: [[Phoneme]], _ costs: [Float], _ outputs: Int
  ) -> (steps: Range<Int>, score: Double)? {
    /// A sound of the phrase with its index, a pause between words, or audio outside the phrase.
    struct State {
      var sound: Int?
      var phoneme: Phoneme
      var loops: Bool
    }
    var states = [State(sound: nil, phoneme: .silence, loops: true)]
    var sounds = 0
    for (index, word) in words.enumerated() {
      if index > 0 { states.append(State(sound: nil, phoneme: .silence, loops: true)) }
      for phoneme in word {
        for part in 0..<least {
          states.append(State(sound: sounds, phoneme: phoneme, loops: part == least - 1))
        }
        sounds += 1
      }
    }
    states.append(State(sound: nil, phoneme: .silence, loops: true))
    let count = states.count
    let steps = costs.count / outputs
    guard sounds > 0, steps >= sounds * least else { return nil }
    var best = [Float](repeating: -.infinity, count: count)
    var next = best
    var back = [UInt8](repeating: 0, count: steps * count)
    for step in 0..<steps {
      for state in 0..<count {
        let isEdge = state == 0 || state == count - 1
        var value: Float = step == 0 && state <= 1 ? 0 : -.infinity
        if step > 0 {
          if states[state].loops { value = best[state] }
          if state > 0, best[state - 1] > value {
            value = best[state - 1]
            back[step * count + state] = 1
          }
          // A pause can be skipped. The audio outside cannot, as the search starts in either state.
          if state > 2, states[state - 1].sound == nil, best[state - 2] > value {
            value = best[state - 2]
            back[step * count + state] = 2
          }
        }
        var cost = costs[step * outputs + Int(states[state].phoneme.rawValue)]
        if isEdge { cost = max(cost, -outside) }
        next[state] = value + cost
      }
      swap(&best, &next)
    }
    var state = best[count - 1] >= best[count - 2] ? count - 1 : count - 2
    guard best[state].isFinite else { return nil }
    var totals = [Double](repeating: 0, count: sounds)
    var lengths = [Int](repeating: 0, count: sounds)
    var first = steps
    var last = 0
    for step in (0..<steps).reversed() {
      if let sound = states[state].sound {
        totals[sound] += Double(costs[step * outputs + Int(states[state].phoneme.rawValue)])
        lengths[sound] += 1
        first = step
        last = max(last, step + 1)
      }
      state -= Int(back[step * count + state])
    }
    let score = (0..<sounds).reduce(0) { $0 + totals[$1] / Double(max(1, lengths[$1])) } / Double(sounds)
    return (first..<last, score)
  }

  /// Counts the likeliest sounds of `steps` that last two steps or more.
  private static func sounds(_ costs: [Float], _ outputs: Int, _ steps: Range<Int>) -> Int {
    var count = 0
    var last = Int(Phoneme.silence.rawValue)
    var length = 0
    for step in steps {
      let row = costs[step * outputs..<(step + 1) * outputs]
      let top = row.firstIndex(of: 0)! - row.startIndex
      length = top == last ? length + 1 : 1
      if length == 2, top != Int(Phoneme.silence.rawValue) { count += 1 }
      last = top
    }
    return count
  }
}
