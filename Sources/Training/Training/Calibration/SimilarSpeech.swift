import Detection
import Evaluation
import Platform

/// How often synthetic voices that were not trained wake a model with parts of its phrase and with similar phrases.
package struct SimilarSpeech: Sendable, Equatable {
  /// One utterance, before it is measured.
  package struct Utterance: Sendable {
    package let phrase: SimilarPhrases.Measured
    package let samples: [Int16]
  }

  /// A phrase: how often it was spoken, and how often it woke the model.
  package struct Count: Sendable, Equatable {
    package let phrase: SimilarPhrases.Measured
    package var spoken = 0
    package var wakes = 0
  }

  static let voicesForPart = 20
  static let voicesForSimilar = 5

  package private(set) var counts: [Count] = []

  mutating func add(_ phrase: SimilarPhrases.Measured, wakes: Bool) {
    let place =
      counts.firstIndex { $0.phrase == phrase }
      ?? {
        counts.append(Count(phrase: phrase))
        return counts.count - 1
      }()
    counts[place].spoken += 1
    counts[place].wakes += wakes ? 1 : 0
  }

  /// Two lines, and the phrases that wake most often.
  var text: String {
    [line("parts of the phrase", isPart: true), line("similar phrases", isPart: false)].compactMap { $0 }
      .joined(separator: "\n")
  }

  private func line(_ name: String, isPart: Bool) -> String? {
    let chosen = counts.filter { $0.phrase.isPart == isPart }
    let (spoken, wakes) = Self.sum(chosen)
    guard spoken > 0 else { return nil }
    let worst = chosen.filter { $0.wakes > 0 }.sorted { $0.wakes * $1.spoken > $1.wakes * $0.spoken }.prefix(
      5)
    let named = worst.compactMap { count in
      Self.name(of: count.phrase.input).map { "\"\($0)\" \(count.wakes) of \(count.spoken)" }
    }
    let share = Decimals.text(100 * Double(wakes) / Double(spoken), 1)
    return "- \(name): \(wakes) of \(spoken) wake it, \(share) %"
      + (named.isEmpty ? "" : ": " + named.joined(separator: ", "))
  }

  private static func name(of input: SynthesisInput) -> String? {
    if case .text(let text) = input { text } else { nil }
  }

  private static func sum(_ counts: [Count]) -> (spoken: Int, wakes: Int) {
    counts.reduce((0, 0)) { ($0.0 + $1.spoken, $0.1 + $1.wakes) }
  }

  var json: JSON {
    func part(_ isPart: Bool) -> JSON {
      let (spoken, wakes) = Self.sum(counts.filter { $0.phrase.isPart == isPart })
      return ["spoken": .number(Double(spoken)), "wakes": .number(Double(wakes))]
    }
    return ["parts": part(true), "phrases": part(false)]
  }
}
