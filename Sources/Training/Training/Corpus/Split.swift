/// Splits recordings into training and held-out data.
package enum Split {
  /// Returns the indices to hold out: whole groups, in hash order, until they contain at least `share` of
  /// all.
  ///
  /// Groups larger than a third of all recordings are always used for training. Nothing is held out if there
  /// is only one group.
  ///
  /// - Parameter assignments: whether each recording must be held out, nil if that is open. The first
  ///   assignment of a group applies to all of it.
  package static func heldOut(
    _ groups: [String], assignments: [Bool?] = [], share: Double, salt: String
  ) -> Set<Int> {
    var assigned: [String: Bool] = [:]
    for (group, assignment) in zip(groups, assignments) {
      if let assignment, assigned[group] == nil { assigned[group] = assignment }
    }
    let open = groups.indices.filter { assigned[groups[$0]] == nil }
    let kept = heldOut(open.map { groups[$0] }, share: share, salt: salt).map { open[$0] }
    return Set(kept + groups.indices.filter { assigned[groups[$0]] == true })
  }

  private static func heldOut(_ groups: [String], share: Double, salt: String) -> Set<Int> {
    var members: [String: [Int]] = [:]
    for (index, group) in groups.enumerated() { members[group, default: []].append(index) }
    guard members.count > 1 else { return [] }
    let order = members.keys.sorted {
      let (a, b) = (stableHash(salt + $0), stableHash(salt + $1))
      return a == b ? $0 < $1 : a < b
    }
    var kept: Set<Int> = []
    for group in order where members[group]!.count * 3 <= groups.count {
      if Double(kept.count) >= share * Double(groups.count) { break }
      kept.formUnion(members[group]!)
    }
    return kept
  }

  /// Returns whether the recordings of `group`, which are not of the phrase, are held out to set thresholds.
  /// The result is the same in every training.
  package static func isHeldOut(_ group: String, share: Double) -> Bool {
    stableHash("negatives" + group) % 1000 < UInt64(share * 1000)
  }

  /// Returns whether `path` contains the phrase. Such a file is not a negative.
  package static func containsPhrase(_ phrase: [String], in path: Substring) -> Bool {
    let wanted = phrase.joined()
    for component in path.split(separator: "/") {
      let letters = component.lowercased().filter { $0.isLetter }
      if wanted.count >= 5, letters.contains(wanted) { return true }
      if component.lowercased().split(whereSeparator: { !$0.isLetter }).joined(separator: " ")
        == phrase.joined(separator: " ")
      {
        return true
      }
    }
    return false
  }
}
