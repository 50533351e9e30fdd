import Glibc
import TextProcessing

/// The features that a set of sentences has, each weighed by how rare it is (TF-IDF).
struct FeatureIndex: Sendable {
  private var places: [FeatureHash: Int32] = [:]
  private var rarity: [Float] = []
  private var strangeness: Float = 1

  var count: Int { rarity.count }

  /// - Parameters:
  ///   - sentences: each feature counts once per sentence.
  ///   - limit: the most features kept; the rarest go first.
  init(_ sentences: [SentenceFeatures], limit: Int) {
    var counts: [FeatureHash: Int32] = [:]
    var order: [FeatureHash] = []
    for sentence in sentences {
      for name in Set(sentence.features.map(\.name)) {
        counts[name, default: 0] += 1
        if counts[name] == 1 { order.append(name) }
      }
    }
    order.sort { (counts[$1] ?? 0, $0.value) < (counts[$0] ?? 0, $1.value) }
    let total = Float(sentences.count + 1)
    for name in order.prefix(limit) {
      places[name] = Int32(rarity.count)
      rarity.append(logf(total / Float((counts[name] ?? 0) + 1)) + 1)
    }
    strangeness = logf(total) + 1
  }

  /// The features of a sentence as a vector of length one; strange words take their share of the length.
  func vector(_ sentence: SentenceFeatures) -> SentenceVector {
    var entries: [SentenceVector.Entry] = []
    entries.reserveCapacity(sentence.features.count)
    var square: Float = 0
    for feature in sentence.features {
      guard let place = places[feature.name] else {
        if feature.isWord { square += strangeness * strangeness * feature.weight * feature.weight }
        continue
      }
      let value = feature.weight * rarity[Int(place)]
      square += value * value
      entries.append(SentenceVector.Entry(place: place, value: value))
    }
    let scale = square > 0 ? 1 / square.squareRoot() : 0
    return SentenceVector(
      entries: entries.map { SentenceVector.Entry(place: $0.place, value: $0.value * scale) })
  }
}

/// A sparse vector.
struct SentenceVector: Sendable {
  struct Entry: Sendable {
    let place: Int32
    let value: Float
  }

  let entries: [Entry]
}
