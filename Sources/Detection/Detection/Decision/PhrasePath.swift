import Platform

/// The pronunciations of a phrase and the weight of the verifier, see ``PhrasePath``.
public struct PhrasePathSettings: Sendable, Equatable {
  /// 1…16 pronunciations, each a row of 1…100 indices of the encoder's outputs.
  public var pronunciations: [[Int]]
  /// The factor of the path's score before it is added to the networks' logit, 0…100.
  public var weight: Double
  /// Steps before the current one in which the path may have ended, 0…255.
  public var span: Int
  /// The offsets of ``SoundScores`` in models of an earlier version, whose networks read the encoder's logits; else empty.
  public var offsets: [Float]

  public init(pronunciations: [[Int]], weight: Double = 2, span: Int = 25, offsets: [Float] = []) {
    self.pronunciations = pronunciations
    self.weight = weight
    self.span = span
    self.offsets = offsets
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
    if !offsets.isEmpty { try SoundScores(offsets: offsets).validate(outputs: outputs) }
  }
}

extension PhrasePathSettings {
  public var json: JSON {
    var members = [
      JSON.Member("pronunciations", .array(pronunciations.map { .array($0.map { .number(Double($0)) }) })),
      JSON.Member("weight", .number(weight)), JSON.Member("span", .number(Double(span))),
    ]
    if !offsets.isEmpty {
      members.append(JSON.Member("offsets", .array(offsets.map { .number(Double($0)) })))
    }
    return .object(members)
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
    offsets = json["offsets"] == nil ? [] : try reader.numbers("offsets").map { Float($0) }
  }
}

/// The verifier: the best path through a phrase's phonemes that ends at each step of an encoder.
///
/// The cost of a step is how far its sound's score is below the highest possible one (``SoundScores``); the score of a path is
/// the mean over its steps, negated, at most 0. In models of the first version the cost is the distance of the sound's logit
/// from the highest one. The verifier corrects networks that were trained on synthetic voices and detect the phrase in audio
/// with other phonemes. One instance belongs to one stream; it allocates in `init` only.
public final class PhrasePath {
  private let settings: PhrasePathSettings
  /// The phoneme of each state; a phoneme has two states, of which the second may repeat.
  private let sounds: UnsafeMutableBufferPointer<Int>
  /// The last state of each pronunciation.
  private let ends: UnsafeMutableBufferPointer<Int>
  /// For the scores of sounds where ``push(_:)`` gets logits; else empty.
  private let offsets: UnsafeMutableBufferPointer<Float>
  private let scores: UnsafeMutableBufferPointer<Float>
  private let isGivenScores: Bool
  private let mostCost: Float
  private let lowest: Float
  private let sums: UnsafeMutableBufferPointer<Float>
  private let lengths: UnsafeMutableBufferPointer<Float>
  /// The scores of the last `span` + 1 steps.
  private let recent: UnsafeMutableBufferPointer<Float>
  private var newest = 0

  package static let unreached: Float = -1e9
  package static let statesPerSound = 2

  /// The largest cost of a step.
  package static func mostCost(_ settings: PhrasePathSettings, readsScores: Bool) -> Float {
    readsScores || !settings.offsets.isEmpty ? -SoundScores.lowest : 6
  }

  /// The lowest score: a missing phoneme is no worse than a wrong one.
  package static func lowest(_ settings: PhrasePathSettings, readsScores: Bool) -> Float {
    readsScores || !settings.offsets.isEmpty ? SoundScores.lowest : -4
  }

  /// - Parameter readsScores: whether ``push(_:)`` gets ``SoundScores`` and not logits.
  /// - Precondition: the settings are valid for the encoder.
  public init(_ settings: PhrasePathSettings, readsScores: Bool) {
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
    isGivenScores = readsScores
    mostCost = Self.mostCost(settings, readsScores: readsScores)
    lowest = Self.lowest(settings, readsScores: readsScores)
    offsets = .allocate(capacity: settings.offsets.count)
    _ = offsets.initialize(from: settings.offsets)
    scores = .allocate(capacity: settings.offsets.count)
    scores.initialize(repeating: 0)
    sums = .allocate(capacity: all.count)
    lengths = .allocate(capacity: all.count)
    recent = .allocate(capacity: settings.span + 1)
    sums.initialize(repeating: Self.unreached)
    lengths.initialize(repeating: 1)
    recent.initialize(repeating: lowest)
  }

  deinit {
    sounds.deallocate()
    ends.deallocate()
    offsets.deallocate()
    scores.deallocate()
    sums.deallocate()
    lengths.deallocate()
    recent.deallocate()
  }

  /// Processes the encoder's next outputs, or their scores. Real-time safe.
  ///
  /// - Returns: the number to add to the networks' logit.
  @_noAllocation @_noLocks
  public func push(_ outputs: UnsafeBufferPointer<Float>) -> Float {
    guard !offsets.isEmpty else {
      return advance(outputs, reference: isGivenScores ? SoundScores.center : highest(outputs))
    }
    let place = scores.baseAddress.unsafelyUnwrapped
    SoundScores.write(
      of: outputs.baseAddress.unsafelyUnwrapped, less: UnsafeBufferPointer(offsets), to: place)
    return advance(UnsafeBufferPointer(scores), reference: SoundScores.center)
  }

  /// Advances all pronunciations by a step whose best sound has the value `reference`.
  @_noAllocation @_noLocks
  private func advance(_ values: UnsafeBufferPointer<Float>, reference: Float) -> Float {
    var best = lowest
    var row = 0
    while row < ends.count {
      let first = row == 0 ? 0 : ends[row - 1] + 1
      advance(first, ends[row], values, reference)
      if sums[ends[row]] > Self.unreached / 2 { best = max(best, sums[ends[row]] / lengths[ends[row]]) }
      row += 1
    }
    newest = newest + 1 == recent.count ? 0 : newest + 1
    recent[newest] = best
    var index = 0
    while index < recent.count {
      best = max(best, recent[index])
      index += 1
    }
    return Float(settings.weight) * best
  }

  @_noAllocation @_noLocks
  private func highest(_ values: UnsafeBufferPointer<Float>) -> Float {
    var highest = -Float.infinity
    var index = 0
    while index < values.count {
      highest = max(highest, values[index])
      index += 1
    }
    return highest
  }

  /// Advances the states of one pronunciation, the last one first.
  @_noAllocation @_noLocks
  private func advance(_ first: Int, _ last: Int, _ values: UnsafeBufferPointer<Float>, _ reference: Float) {
    var state = last
    while state >= first {
      var sum = state == first ? 0 : sums[state - 1]
      var length = state == first ? 0 : lengths[state - 1]
      let mayStay = (state - first) % Self.statesPerSound == Self.statesPerSound - 1
      if mayStay, sums[state] / lengths[state] > sum / max(1, length) {
        sum = sums[state]
        length = lengths[state]
      }
      sums[state] = sum + max(-mostCost, values[sounds[state]] - reference)
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
      recent[index] = lowest
      index += 1
    }
  }
}
