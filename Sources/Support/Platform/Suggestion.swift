/// Suggests corrections for mistyped commands, options, models and keys.
public enum Suggestion {
  /// The candidate nearest to `word`; nil if none is within a third of the word's length, from one to three edits.
  ///
  /// A candidate that begins with `word` (two letters or more) counts as one edit away. Ties go to the earlier candidate.
  public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let limit = max(1, min(3, word.count / 3))
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      var distance = word.count >= 2 && candidate.hasPrefix(word) ? 1 : Int.max
      // At least as many edits as the lengths differ by.
      if abs(word.count - candidate.count) <= limit {
        distance = min(distance, editDistance(Array(word.lowercased()), Array(candidate.lowercased())))
      }
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The text to append to a fault's message: "; did you mean X?", or an empty string.
  public static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal string
  /// alignment; Damerau, 1964).
  public static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        var distance = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          distance = min(distance, beforePrevious[j - 2] + 1)
        }
        row.append(distance)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
