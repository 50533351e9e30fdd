/// The name most like `name`, if any is like it: at most a third of its letters differ.
func nearestName(to name: String, among names: [String]) -> String? {
  let wanted = Array(name.lowercased().unicodeScalars.prefix(64))
  let ranked = names.map { (name: $0, distance: editDistance(wanted, Array($0.lowercased().unicodeScalars))) }
  guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
  return best.distance <= max(1, wanted.count / 3) ? best.name : nil
}

/// Insertions, deletions and substitutions that turn one list into the other (Levenshtein 1966).
private func editDistance<Element: Equatable>(_ first: [Element], _ second: [Element]) -> Int {
  var row = Array(0...second.count)
  for (i, element) in first.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in second.enumerated() {
      let substituted = diagonal + (element == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
    }
  }
  return row[second.count]
}
