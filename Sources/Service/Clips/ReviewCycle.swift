/// The review of clips without a label: play, decide, next.
///
/// A state machine without terminal, files or sound: `advance` takes what happened and returns what to do, in order.
///
/// | state | input | to | actions |
/// |---|---|---|---|
/// | asking | p | asking | play |
/// | asking | y, n | working | label |
/// | asking | s | asking the next | show, play; end after the last |
/// | asking | u after a label | working | unlabel |
/// | asking | u after a skip | asking the one before | show, play |
/// | asking | d | confirming | report confirmDeletion |
/// | confirming | d | working | delete |
/// | confirming | another key | asking | as asking |
/// | asking | another key | asking | report keys |
/// | working | done | asking the next, after u the one before | report done; show, play; end after the last |
/// | working | failed | asking the next | report failed; show, play; end after the last |
/// | asking | failed | asking | report failed (it could not be played) |
/// | any | q, ended | over | end |
public struct ReviewCycle: Sendable {
  public enum Input: Sendable, Equatable {
    case key(Character)
    /// The requested action is done; playing needs no answer.
    case done
    /// The requested action failed.
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
    /// Takes the label back. Answer with `done` or `failed`.
    case unlabel(ClipStore.Entry, Label)
    /// Answer with `done` or `failed`.
    case delete(ClipStore.Entry)
    case report(Note)
    case end(Counts)
  }

  public enum Note: Sendable, Equatable {
    /// The keys that can be pressed.
    case keys
    case confirmDeletion
    case labelled(Label)
    case undone
    case nothingToUndo
    case deleted
    case failed(String)
  }

  /// The results of the review.
  public struct Counts: Sendable, Equatable {
    public var labelled = 0
    public var deleted = 0
    /// Clips that are still without a label.
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
    case undoing
    case deleting
    case over
  }

  /// A decision that can be undone.
  private struct Decision: Sendable {
    var index: Int
    /// nil if the clip was skipped.
    var label: Label?
  }

  private let entries: [ClipStore.Entry]
  private var index = 0
  private var state = State.asking
  private var counts: Counts
  private var decisions: [Decision] = []
  private var deleted: Set<Int> = []

  /// - Parameter entries: those to review, in this order.
  public init(_ entries: [ClipStore.Entry]) {
    self.entries = entries
    counts = Counts(left: entries.count)
  }

  /// Whether the review has ended.
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
      decisions.append(Decision(index: index, label: label))
      return [.report(.labelled(label))] + next()
    case (.undoing, .done):
      counts.labelled -= 1
      counts.left += 1
      return [.report(.undone)] + back()
    case (.undoing, .failed(let message)):
      state = .asking
      return [.report(.failed(message))]
    case (.deleting, .done):
      counts.deleted += 1
      deleted.insert(index)
      counts.left -= 1
      return [.report(.deleted)] + next()
    case (.labelling, .failed(let message)), (.deleting, .failed(let message)):
      return [.report(.failed(message))] + next()
    case (_, .failed(let message)): return [.report(.failed(message))]
    case (_, .done), (.labelling, .key), (.undoing, .key), (.deleting, .key): return []
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
    case "s":
      decisions.append(Decision(index: index))
      return next()
    case "u":
      guard let last = decisions.last else { return [.report(.nothingToUndo)] }
      guard let label = last.label else { return back() }
      state = .undoing
      return [.unlabel(entries[last.index], label)]
    case "d":
      state = .confirming
      return [.report(.confirmDeletion)]
    case "q": return end()
    default: return [.report(.keys)]
    }
  }

  private mutating func next() -> [Action] {
    repeat { index += 1 } while deleted.contains(index)
    return present()
  }

  /// Returns to the clip of the last decision.
  private mutating func back() -> [Action] {
    if let last = decisions.popLast() { index = last.index }
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
