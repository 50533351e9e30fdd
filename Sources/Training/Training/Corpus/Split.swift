/// Which recordings train the model and which are kept to measure it.
package enum Split {
  /// The indices to keep aside: whole groups, in hash order, until they hold at least `share` of all.
  ///
  /// Groups larger than a third of everything always train; nothing is kept where there is one group.
  ///
  /// - Parameter wishes: whether a recording is to be kept aside, nil where that is open; a group goes by its first wish.
  package static func heldOut(
    _ groups: [String], wishes: [Bool?] = [], share: Double, salt: String
  ) -> Set<Int> {
    var wished: [String: Bool] = [:]
    for (group, wish) in zip(groups, wishes) {
      if let wish, wished[group] == nil { wished[group] = wish }
    }
    let open = groups.indices.filter { wished[groups[$0]] == nil }
    let kept = heldOut(open.map { groups[$0] }, share: share, salt: salt).map { open[$0] }
    return Set(kept + groups.indices.filter { wished[groups[$0]] == true })
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

  /// Whether the recordings of `group`, which are not of the phrase, are kept to set thresholds: the same groups in
  /// every training.
  package static func isHeldOut(_ group: String, share: Double) -> Bool {
    stableHash("negatives" + group) % 1000 < UInt64(share * 1000)
  }

  /// Whether `path` names the phrase: such a file is no negative, whatever folder the user gave.
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
