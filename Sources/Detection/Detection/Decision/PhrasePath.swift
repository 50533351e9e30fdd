import Platform

/// The pronunciations of a phrase and the weight of the verifier, see ``PhrasePath``.
public struct PhrasePathSettings: Sendable, Equatable {
  /// 1…16 pronunciations, each a row of 1…100 indices of the encoder's outputs.
  public var pronunciations: [[Int]]
  /// The factor of the path's score before it is added to the networks' logit, 0…100.
  public var weight: Double
  /// Steps before the current one in which the path may have ended, 0…255.
  public var span: Int

  public init(pronunciations: [[Int]], weight: Double = 3, span: Int = 25) {
    self.pronunciations = pronunciations
    self.weight = weight
    self.span = span
  }

  /// - Throws: ``DetectionFault/badSetting(name:allowed:)``.
  func validate(outputs: Int) throws(DetectionFault) {
    guard (1...16).contains(pronunciations.count),
      pronunciations.allSatisfy({ row in
        (1...100).contains(row.count) && row.allSatisfy { $0 >= 0 && $0 < outputs }
      })
    else {
      throw .badSetting(name: "pronunciations", allowed: "1 to 16 rows of the encoder's outputs")
    }
    guard (0...100).contains(weight) else { throw .badSetting(name: "weight", allowed: "0 to 100") }
    guard (0...255).contains(span) else { throw .badSetting(name: "span", allowed: "0 to 255") }
  }
}

extension PhrasePathSettings {
  public var json: JSON {
    [
      "pronunciations": .array(pronunciations.map { .array($0.map { .number(Double($0)) }) }),
      "weight": .number(weight), "span": .number(Double(span)),
    ]
  }

  /// Decodes ``json``.
  public init(json: JSON) throws(DetectionFault) {
    let reader = SettingsReader(json)
    pronunciations = []
    for row in json["pronunciations"]?.array ?? [] {
      pronunciations.append(try SettingsReader(["row": row]).integers("row"))
    }
    weight = try reader.number("weight")
    span = try reader.integer("span")
  }
}

/// The verifier: the best path through a phrase's phonemes that ends at each step of an encoder.
///
/// The cost of a step is the distance of its phoneme from the most likely one; the score is the mean over the path, at most
/// 0. It corrects networks that were trained on synthetic voices and detect the phrase in audio with other phonemes. One
/// instance belongs to one stream; it allocates in `init` only.
public final class PhrasePath {
  private let settings: PhrasePathSettings
  /// The phoneme of each state; a phoneme has two states, of which the second may repeat.
  private let sounds: UnsafeMutableBufferPointer<Int>
  /// The last state of each pronunciation.
  private let ends: UnsafeMutableBufferPointer<Int>
  private let sums: UnsafeMutableBufferPointer<Float>
  private let lengths: UnsafeMutableBufferPointer<Float>
  /// The scores of the last `span` + 1 steps.
  private let recent: UnsafeMutableBufferPointer<Float>
  private var newest = 0

  /// The largest cost of a step, and the lowest score: a missing phoneme is no worse than a wrong one.
  package static let mostCost: Float = 6
  package static let lowest: Float = -4
  package static let unreached: Float = -1e9
  package static let statesPerSound = 2

  /// - Precondition: the settings are valid for the encoder.
  public init(_ settings: PhrasePathSettings) {
    self.settings = settings
    let states = settings.pronunciations.map { row in
      row.flatMap { [Int](repeating: $0, count: Self.statesPerSound) }
    }
    let all = Array(states.joined())
    sounds = .allocate(capacity: all.count)
    _ = sounds.initialize(from: all)
    ends = .allocate(capacity: states.count)
    var end = 0
    for (index, row) in states.enumerated() {
      end += row.count
      ends.initializeElement(at: index, to: end - 1)
    }
    sums = .allocate(capacity: all.count)
    lengths = .allocate(capacity: all.count)
    recent = .allocate(capacity: settings.span + 1)
    sums.initialize(repeating: Self.unreached)
    lengths.initialize(repeating: 1)
    recent.initialize(repeating: Self.lowest)
  }

  deinit {
    sounds.deallocate()
    ends.deallocate()
    sums.deallocate()
    lengths.deallocate()
    recent.deallocate()
  }

  /// Processes the encoder's next outputs. Real-time safe.
  ///
  /// - Returns: the number to add to the networks' logit.
  @_noAllocation @_noLocks
  public func push(_ logits: UnsafeBufferPointer<Float>) -> Float {
    var highest = logits[0]
    var index = 1
    while index < logits.count {
      highest = max(highest, logits[index])
      index += 1
    }
    var best = Self.lowest
    var row = 0
    while row < ends.count {
      let first = row == 0 ? 0 : ends[row - 1] + 1
      advance(first, ends[row], logits, highest)
      if sums[ends[row]] > Self.unreached / 2 { best = max(best, sums[ends[row]] / lengths[ends[row]]) }
      row += 1
    }
    newest = newest + 1 == recent.count ? 0 : newest + 1
    recent[newest] = best
    index = 0
    while index < recent.count {
      best = max(best, recent[index])
      index += 1
    }
    return Float(settings.weight) * best
  }

  /// Advances the states of one pronunciation, the last one first.
  @_noAllocation @_noLocks
  private func advance(_ first: Int, _ last: Int, _ logits: UnsafeBufferPointer<Float>, _ highest: Float) {
    var state = last
    while state >= first {
      var sum = state == first ? 0 : sums[state - 1]
      var length = state == first ? 0 : lengths[state - 1]
      let mayStay = (state - first) % Self.statesPerSound == Self.statesPerSound - 1
      if mayStay, sums[state] / lengths[state] > sum / max(1, length) {
        sum = sums[state]
        length = lengths[state]
      }
      sums[state] = sum + max(-Self.mostCost, logits[sounds[state]] - highest)
      lengths[state] = length + 1
      state -= 1
    }
  }

  /// Resets to the start of a stream. Real-time safe.
  @_noAllocation @_noLocks
  public func reset() {
    var index = 0
    while index < sums.count {
      sums[index] = Self.unreached
      lengths[index] = 1
      index += 1
    }
    index = 0
    while index < recent.count {
      recent[index] = Self.lowest
      index += 1
    }
  }
}
