import CKernels
import Platform

/// The pronunciations of a phrase and the weight of the verifier, see ``PhrasePath``.
public struct PhrasePathSettings: Sendable, Equatable {
  /// 1…16 pronunciations, each a row of 1…100 indices of the encoder's outputs.
  public var pronunciations: [[Int]]
  /// The factor of the path's score before it is added to the networks' logit, 0…100.
  public var weight: Double
  /// Steps before the current one in which the path may have ended, 0…255.
  public var span: Int
  /// What is subtracted from each output's logit, -20…20, so that frequent outputs are not preferred; empty in models of
  /// versions that compared each output with the most likely one.
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
    guard offsets.isEmpty || offsets.count == outputs, offsets.allSatisfy({ abs($0) <= 20 }) else {
      throw .badSetting(name: "offsets", allowed: "none, or one of -20 to 20 for each output of the encoder")
    }
  }
}

extension PhrasePathSettings {
  /// The largest cost of a step.
  package var mostCost: Float { offsets.isEmpty ? 6 : 8 }
  /// The lowest score: a missing phoneme is no worse than a wrong one.
  package var lowest: Float { offsets.isEmpty ? -4 : -8 }

  public var json: JSON {
    [
      "pronunciations": .array(pronunciations.map { .array($0.map { .number(Double($0)) }) }),
      "weight": .number(weight), "span": .number(Double(span)),
      "offsets": .array(offsets.map { .number(Double($0)) }),
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
    offsets = json["offsets"] == nil ? [] : try reader.numbers("offsets").map { Float($0) }
  }
}

/// The verifier: the best path through a phrase's phonemes that ends at each step of an encoder.
///
/// The cost of a step is the negative logarithm of its phoneme's probability; the score is the mean over the path, negated, at
/// most 0. It corrects networks that were trained on synthetic voices and detect the phrase in audio with other phonemes.
/// One instance belongs to one stream; it allocates in `init` only.
public final class PhrasePath {
  private let settings: PhrasePathSettings
  /// The phoneme of each state; a phoneme has two states, of which the second may repeat.
  private let sounds: UnsafeMutableBufferPointer<Int>
  /// The last state of each pronunciation.
  private let ends: UnsafeMutableBufferPointer<Int>
  /// What is subtracted from each output's logit; empty for models of earlier versions.
  private let offsets: UnsafeMutableBufferPointer<Float>
  private let mostCost: Float
  private let lowest: Float
  private let sums: UnsafeMutableBufferPointer<Float>
  private let lengths: UnsafeMutableBufferPointer<Float>
  /// The scores of the last `span` + 1 steps.
  private let recent: UnsafeMutableBufferPointer<Float>
  private var newest = 0

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
    mostCost = settings.mostCost
    lowest = settings.lowest
    offsets = .allocate(capacity: settings.offsets.count)
    _ = offsets.initialize(from: settings.offsets)
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
    sums.deallocate()
    lengths.deallocate()
    recent.deallocate()
  }

  /// Processes the encoder's next outputs. Real-time safe.
  ///
  /// - Returns: the number to add to the networks' logit.
  @_noAllocation @_noLocks
  public func push(_ logits: UnsafeBufferPointer<Float>) -> Float {
    let reference = reference(logits)
    var best = lowest
    var row = 0
    while row < ends.count {
      let first = row == 0 ? 0 : ends[row - 1] + 1
      advance(first, ends[row], logits, reference)
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

  /// Returns the logarithm of the sum of all outputs' exponentials, or the highest logit if there are no offsets.
  @_noAllocation @_noLocks
  private func reference(_ logits: UnsafeBufferPointer<Float>) -> Float {
    var highest = -Float.infinity
    var index = 0
    while index < logits.count {
      highest = max(highest, adjusted(logits, index))
      index += 1
    }
    guard !offsets.isEmpty else { return highest }
    var sum = 0.0
    index = 0
    while index < logits.count {
      sum += hotword_exp(Double(adjusted(logits, index) - highest))
      index += 1
    }
    return highest + Float(hotword_log(sum))
  }

  @_noAllocation @_noLocks
  private func adjusted(_ logits: UnsafeBufferPointer<Float>, _ output: Int) -> Float {
    offsets.isEmpty ? logits[output] : logits[output] - offsets[output]
  }

  /// Advances the states of one pronunciation, the last one first.
  @_noAllocation @_noLocks
  private func advance(_ first: Int, _ last: Int, _ logits: UnsafeBufferPointer<Float>, _ reference: Float) {
    var state = last
    while state >= first {
      var sum = state == first ? 0 : sums[state - 1]
      var length = state == first ? 0 : lengths[state - 1]
      let mayStay = (state - first) % Self.statesPerSound == Self.statesPerSound - 1
      if mayStay, sums[state] / lengths[state] > sum / max(1, length) {
        sum = sums[state]
        length = lengths[state]
      }
      sums[state] = sum + max(-mostCost, adjusted(logits, sounds[state]) - reference)
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
