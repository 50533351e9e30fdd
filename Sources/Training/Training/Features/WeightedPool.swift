import Platform

/// Elements that are drawn with a probability proportional to their weight.
struct WeightedPool<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  /// The sum of the weights of an element and of all before it.
  private var sums: [Int] = []

  mutating func add(_ element: Element, weight: Int) {
    elements.append(element)
    sums.append((sums.last ?? 0) + weight)
  }

  /// Returns a random element. The pool must not be empty.
  func draw(_ random: inout RandomSource) -> Element {
    let place = Int(random.next() % UInt64(sums.last!))
    var low = 0
    var high = sums.count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > place { high = middle } else { low = middle + 1 }
    }
    return elements[low]
  }
}
