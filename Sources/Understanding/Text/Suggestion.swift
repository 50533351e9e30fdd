/// The nearest of some known names, for faults that say "did you mean".
package enum Suggestion {
  /// The candidate with the fewest edits from `name`, when few enough that a slip is likely.
  package static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
    let limit = max(1, min(3, name.count / 3 + 1))
    var best: (name: String, edits: Int)?
    for candidate in candidates.sorted() where abs(candidate.count - name.count) <= limit {
      let edits = distance(Array(name.lowercased()), Array(candidate.lowercased()))
      if edits <= limit, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  /// Insertions, deletions, substitutions and swaps of neighbours between two texts.
  ///
  /// Damerau's distance in its restricted form ("A technique for computer detection and correction of spelling
  /// errors", 1964); O(n·m).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard left.count <= 64, right.count <= 64 else { return .max }
    var older: [Int] = []
    var old = Array(0...right.count)
    for row in 0..<left.count {
      var new = [row + 1]
      for column in 0..<right.count {
        var edits = min(
          old[column] + (left[row] == right[column] ? 0 : 1), old[column + 1] + 1, new[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          edits = min(edits, older[column - 1] + 1)
        }
        new.append(edits)
      }
      older = old
      old = new
    }
    return old[right.count]
  }
}
