/// The state machine of recording samples of a phrase: prompt, listen, check, keep or record again.
///
/// It uses no terminal, files or audio: `advance` takes what happened and returns what to do, in order.
/// With a person at the keyboard:
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | listening | a good take | offering | offer |
/// | listening | a flawed take | rejecting | report |
/// | listening | r | listening | prompt, listen |
/// | listening | another key | listening | listen |
/// | offering | Enter, y | saving | save |
/// | offering | p | offering | play |
/// | offering, rejecting | r; rejecting: Enter too | listening | prompt, listen |
/// | offering, rejecting | another key | the same | keys |
/// | saving | saved | listening; over after the last | prompt, listen; end |
/// | any | q, ended | over | end |
///
/// Without a person, good takes are saved at once and flawed ones recorded again, until too many in a row are flawed.
public struct RecordCycle: Sendable {
  public enum Input: Sendable, Equatable {
    case take(Take)
    case key(Character)
    case saved
    /// No more keys or no more audio.
    case ended
  }

  public enum Action: Sendable, Equatable {
    /// `number` counts from 1.
    case prompt(number: Int, of: Int)
    /// Continue with `take`, `key` or `ended`.
    case listen
    case report(TakeFlaw)
    /// Ask whether to keep the take.
    case offer(Take)
    case play(Take)
    /// Continue with `saved`.
    case save(Take)
    /// Show the keys.
    case keys(canKeep: Bool)
    /// - Parameter recorded: the takes saved in this session.
    case end(recorded: Int)
  }

  private enum State: Sendable, Equatable {
    case listening
    case offering(Take)
    case rejecting
    case saving
    case over
  }

  private let count: Int
  private let isAttended: Bool
  private var done: Int
  private var recorded = 0
  private var rejected = 0
  private var state = State.listening

  /// The flawed takes in a row after which a session without a person ends.
  private static let mostRejected = 10

  /// - Parameters:
  ///   - count: the number of recordings to reach.
  ///   - done: the number of existing recordings.
  ///   - isAttended: whether a person presses keys.
  public init(count: Int, done: Int, isAttended: Bool) {
    self.count = count
    self.done = done
    self.isAttended = isAttended
  }

  public var isOver: Bool { state == .over }

  public mutating func begin() -> [Action] { next() }

  public mutating func advance(_ input: Input) -> [Action] {
    switch (state, input) {
    case (.over, _): return []
    case (_, .ended), (_, .key("q")): return end()
    case (.listening, .take(let take)): return take.flaw.map { reject($0) } ?? accept(take)
    case (.listening, .key(let key)): return key == "r" ? next() : [.listen]
    case (.offering(let take), .key(let key)): return pressed(key, take)
    case (.rejecting, .key(let key)):
      return ["\n", "\r", " ", "r"].contains(key) ? next() : [.keys(canKeep: false)]
    case (.saving, .saved):
      done += 1
      recorded += 1
      return next()
    default: return []
    }
  }

  private mutating func accept(_ take: Take) -> [Action] {
    rejected = 0
    state = isAttended ? .offering(take) : .saving
    return [isAttended ? .offer(take) : .save(take)]
  }

  private mutating func reject(_ flaw: TakeFlaw) -> [Action] {
    rejected += 1
    if isAttended {
      state = .rejecting
      return [.report(flaw)]
    }
    return [.report(flaw)] + (rejected < Self.mostRejected ? next() : end())
  }

  private mutating func pressed(_ key: Character, _ take: Take) -> [Action] {
    switch key {
    case "\n", "\r", "y":
      state = .saving
      return [.save(take)]
    case "p": return [.play(take)]
    case "r": return next()
    default: return [.keys(canKeep: true)]
    }
  }

  private mutating func next() -> [Action] {
    guard done < count else { return end() }
    state = .listening
    return [.prompt(number: done + 1, of: count), .listen]
  }

  private mutating func end() -> [Action] {
    state = .over
    return [.end(recorded: recorded)]
  }
}
