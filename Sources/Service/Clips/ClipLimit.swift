/// How much unlabelled audio is kept before the oldest is deleted; a clip of six seconds takes 192 kB.
public enum ClipLimit: Sendable, Equatable, CustomStringConvertible {
  case clips(Int)
  /// Of a million bytes.
  case megabytes(Int)

  /// 1,000 clips, 192 MB.
  public static let standard = ClipLimit.clips(1_000)
  /// What ``init(_:)`` takes, in words.
  public static let expected = "a number of clips (500) or of megabytes (200MB), from 1 to \(most)"

  private static let most = 1_000_000

  /// Parses `500` or `200MB`; nil for anything else.
  public init?(_ text: String) {
    let isSize = text.uppercased().hasSuffix("MB")
    let digits = isSize ? text.dropLast(2) : text[...]
    guard digits.allSatisfy(\.isNumber), let count = Int(digits), (1...Self.most).contains(count) else {
      return nil
    }
    self = isSize ? .megabytes(count) : .clips(count)
  }

  /// The text of ``init(_:)``.
  public var description: String {
    switch self {
    case .clips(let count): "\(count)"
    case .megabytes(let count): "\(count)MB"
    }
  }

  /// How many of the oldest files must be deleted before a new one is written.
  ///
  /// - Parameters:
  ///   - sizes: the bytes of each, oldest first.
  ///   - bytes: those of the new one.
  public func evictions(from sizes: [Int], adding bytes: Int) -> Int {
    switch self {
    case .clips(let most): return max(0, sizes.count + 1 - most)
    case .megabytes(let most):
      var total = sizes.reduce(bytes, +)
      var count = 0
      while count < sizes.count, total > most * 1_000_000 {
        total -= sizes[count]
        count += 1
      }
      return count
    }
  }
}
