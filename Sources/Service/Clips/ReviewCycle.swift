/// The way through the clips that nobody has labelled: hear, decide, next.
///
/// A state machine without terminal, files or sound: `advance` takes what happened and returns what to do, in order.
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | asking | p | asking | play |
/// | asking | y, n | working | label |
/// | asking | s | asking the next | show, play; end after the last |
/// | asking | d | confirming | tell confirmDeletion |
/// | confirming | d | working | delete |
/// | confirming | another key | asking | as asking |
/// | asking | another key | asking | tell keys |
/// | working | done | asking the next | tell done; show, play; end after the last |
/// | working | failed | asking the next | tell failed; show, play; end after the last |
/// | asking | failed | asking | tell failed (it could not be played) |
/// | any | q, ended | over | end |
public struct ReviewCycle: Sendable {
  public enum Input: Sendable, Equatable {
    case key(Character)
    /// What was asked for is done; to play needs no answer.
    case done
    /// It could not be done.
    case failed(String)
    /// No more keys come: a signal, or the terminal is gone.
    case ended
  }

  public enum Action: Sendable, Equatable {
    /// `number` counts from 1.
    case show(ClipStore.Entry, number: Int, of: Int)
    case play(ClipStore.Entry)
    /// Answer with `done` or `failed`.
    case label(ClipStore.Entry, Label)
    /// Answer with `done` or `failed`.
    case delete(ClipStore.Entry)
    case tell(Note)
    case end(Counts)
  }

  public enum Note: Sendable, Equatable {
    /// Which keys there are.
    case keys
    case confirmDeletion
    case labelled(Label)
    case deleted
    case failed(String)
  }

  /// What came of the review.
  public struct Counts: Sendable, Equatable {
    public var labelled = 0
    public var deleted = 0
    /// Clips without a label still.
    public var left = 0

    public init(labelled: Int = 0, deleted: Int = 0, left: Int = 0) {
      self.labelled = labelled
      self.deleted = deleted
      self.left = left
    }
  }

  private enum State: Sendable, Equatable {
    case asking
    case confirming
    case labelling(Label)
    case deleting
    case over
  }

  private let entries: [ClipStore.Entry]
  private var index = 0
  private var state = State.asking
  private var counts: Counts

  /// - Parameter entries: those to review, in this order.
  public init(_ entries: [ClipStore.Entry]) {
    self.entries = entries
    counts = Counts(left: entries.count)
  }

  /// Whether the review has come to its end.
  public var isOver: Bool { state == .over }

  /// Opens the review.
  public mutating func begin() -> [Action] { present() }

  /// Takes one input and returns what to do, in order.
  public mutating func advance(_ input: Input) -> [Action] {
    switch (state, input) {
    case (.over, _): return []
    case (_, .ended): return end()
    case (.asking, .key(let key)): return pressed(key)
    case (.confirming, .key("d")):
      state = .deleting
      return [.delete(entries[index])]
    case (.confirming, .key(let key)):
      state = .asking
      return pressed(key)
    case (.labelling(let label), .done):
      counts.labelled += 1
      counts.left -= 1
      return [.tell(.labelled(label))] + next()
    case (.deleting, .done):
      counts.deleted += 1
      counts.left -= 1
      return [.tell(.deleted)] + next()
    case (.labelling, .failed(let message)), (.deleting, .failed(let message)):
      return [.tell(.failed(message))] + next()
    case (_, .failed(let message)): return [.tell(.failed(message))]
    case (_, .done), (.labelling, .key), (.deleting, .key): return []
    }
  }

  private mutating func pressed(_ key: Character) -> [Action] {
    let entry = entries[index]
    switch key {
    case "p": return [.play(entry)]
    case "y", "n":
      let label = Label(entry.clip.kind, isWord: key == "y")
      state = .labelling(label)
      return [.label(entry, label)]
    case "s": return next()
    case "d":
      state = .confirming
      return [.tell(.confirmDeletion)]
    case "q": return end()
    default: return [.tell(.keys)]
    }
  }

  private mutating func next() -> [Action] {
    index += 1
    return present()
  }

  private mutating func present() -> [Action] {
    guard index < entries.count else { return end() }
    state = .asking
    let entry = entries[index]
    return [.show(entry, number: index + 1, of: entries.count), .play(entry)]
  }

  private mutating func end() -> [Action] {
    state = .over
    return [.end(counts)]
  }
}
