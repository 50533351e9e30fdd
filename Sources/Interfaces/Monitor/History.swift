/// The highest values of a stream in columns of equal duration, the newest last.
public struct History: Sendable, Equatable {
  /// Seconds of one column.
  public static let columnSeconds = 0.25
  /// The most columns kept.
  public static let capacity = 512

  public private(set) var columns: [Double] = []
  private var newest = -1

  public init() {}

  /// Adds a value, 0…1, at `seconds` from the start of the stream; times never decrease.
  public mutating func push(_ value: Double, at seconds: Double) {
    let column = Int(seconds / Self.columnSeconds)
    if column > newest {
      let empty = min(Self.capacity, column - newest - 1)
      columns += Array(repeating: 0, count: newest < 0 ? 0 : empty) + [value]
      columns.removeFirst(max(0, columns.count - Self.capacity))
      newest = column
    } else if !columns.isEmpty {
      columns[columns.count - 1] = max(columns[columns.count - 1], value)
    }
  }

  /// The last `count` columns; zeros for the time before the stream.
  public func last(_ count: Int) -> [Double] {
    let found = columns.suffix(max(0, count))
    return Array(repeating: 0, count: max(0, count - found.count)) + found
  }
}
