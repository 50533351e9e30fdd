/// A list for each node of a graph, in one array.
package struct NodeLists<Element: Sendable>: Sendable {
  /// The elements of the first list, of the second, and so on.
  package let elements: [Element]
  /// The index of each list's first element, and the end of the last list.
  private let starts: [Int32]

  init(_ lists: [[Element]] = []) {
    elements = Array(lists.joined())
    var starts: [Int32] = [0]
    starts.reserveCapacity(lists.count + 1)
    for list in lists { starts.append(starts.last! + Int32(list.count)) }
    self.starts = starts
  }

  /// The number of nodes.
  package var count: Int { starts.count - 1 }

  /// Where in ``elements`` the list of a node is.
  package func range(_ node: Int) -> Range<Int> { Int(starts[node])..<Int(starts[node + 1]) }
}
