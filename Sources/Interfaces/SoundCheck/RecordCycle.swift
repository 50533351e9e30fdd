/// The way through the samples of a phrase: prompt, listen, check, keep or take again.
///
/// A state machine without terminal, files or sound: `advance` takes what happened and returns what to do, in order.
/// With a person at the keys:
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | listening | a good take | asking | ask |
/// | listening | a flawed one | refusing | tell |
/// | asking | Enter, y | saving | save |
/// | asking | p | asking | play |
/// | asking, refusing | r; refusing: Enter too | listening | prompt, listen |
/// | asking, refusing | another key | the same | keys |
/// | saving | saved | listening; over after the last | prompt, listen; end |
/// | any | q, ended | over | end |
///
/// Without one, good takes are saved at once and flawed ones made again, until too many in a row are flawed.
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
    /// Answer with `take` or `ended`.
    case listen
    case tell(TakeFlaw)
    case ask(Take)
    case play(Take)
    /// Answer with `saved`.
    case save(Take)
    /// Say which keys there are.
    case keys(canKeep: Bool)
    /// `recorded` in this session.
    case end(recorded: Int)
  }

  private enum State: Sendable, Equatable {
    case listening
    case asking(Take)
    case refusing
    case saving
    case over
  }

  private let count: Int
  private let isAttended: Bool
  private var done: Int
  private var recorded = 0
  private var refused = 0
  private var state = State.listening

  /// Flawed takes in a row after which nobody seems to be there.
  private static let mostRefused = 10

  /// - Parameters:
  ///   - count: how many are wanted in all.
  ///   - done: how many there are already.
  ///   - isAttended: whether there are keys.
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
    case (.listening, .take(let take)): return take.flaw.map { refuse($0) } ?? accept(take)
    case (.asking(let take), .key(let key)): return pressed(key, take)
    case (.refusing, .key(let key)):
      return ["\n", "\r", " ", "r"].contains(key) ? next() : [.keys(canKeep: false)]
    case (.saving, .saved):
      done += 1
      recorded += 1
      return next()
    default: return []
    }
  }

  private mutating func accept(_ take: Take) -> [Action] {
    refused = 0
    state = isAttended ? .asking(take) : .saving
    return [isAttended ? .ask(take) : .save(take)]
  }

  private mutating func refuse(_ flaw: TakeFlaw) -> [Action] {
    refused += 1
    if isAttended {
      state = .refusing
      return [.tell(flaw)]
    }
    return [.tell(flaw)] + (refused < Self.mostRefused ? next() : end())
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
