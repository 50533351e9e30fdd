/// A recorded piece of audio around a hotword or a near miss; its file's name holds all of these properties.
public struct Clip: Sendable, Equatable {
  /// Why it was recorded.
  public enum Kind: String, Sendable, CaseIterable {
    /// The hotword was detected.
    case wake
    /// The score came close to the threshold.
    case nearMiss = "near-miss"
  }

  /// When the word ended.
  public let time: ClipTime
  /// The model's name.
  public let keyword: String
  public let kind: Kind
  /// 0…1, to three decimals.
  public let score: Double

  public init(time: ClipTime, keyword: String, kind: Kind, score: Double) {
    self.time = time
    self.keyword = keyword
    self.kind = kind
    self.score = (score * 1_000).rounded() / 1_000
  }

  /// `20261121T131252.120Z_computer_near-miss_0.412.wav`
  public var fileName: String {
    "\(time.compact)_\(keyword)_\(kind.rawValue)_\(Self.text(of: score))\(Self.suffix)"
  }

  static let suffix = ".wav"

  /// Reads what ``fileName`` writes; nil for anything else, so that other files are not touched.
  public init?(fileName: String) {
    let fields = fileName.dropLast(Self.suffix.count).split(separator: "_", omittingEmptySubsequences: false)
    guard fields.count >= 4, let time = ClipTime(compact: fields[0]),
      let kind = Kind(rawValue: String(fields[fields.count - 2])),
      let score = Double(fields[fields.count - 1]), (0...1).contains(score)
    else { return nil }
    let keyword = fields[1..<(fields.count - 2)].joined(separator: "_")
    guard !keyword.isEmpty, !keyword.hasPrefix(".") else { return nil }
    self.init(time: time, keyword: keyword, kind: kind, score: score)
    guard self.fileName == fileName else { return nil }
  }

  /// A score with exactly three decimals.
  public static func text(of score: Double) -> String {
    let thousandths = Int((min(max(score, 0), 1) * 1_000).rounded())
    let digits = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
