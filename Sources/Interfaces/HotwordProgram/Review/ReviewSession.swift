import Clips
import CommandLineParsing

/// One interactive run of `hotword review`: performs the actions of the review cycle.
struct ReviewSession {
  private static let endOfInput: Character = "\u{4}"

  private var cycle: ReviewCycle
  private let store: ClipStore
  private let player: ClipPlayer
  private let loop: ListeningLoop
  /// The signal that ended the review.
  private(set) var signal: Int32?

  init(cycle: ReviewCycle, store: ClipStore, player: ClipPlayer, loop: ListeningLoop) {
    self.cycle = cycle
    self.store = store
    self.player = player
    self.loop = loop
  }

  mutating func run() throws {
    var actions = cycle.begin()
    while !actions.isEmpty || !cycle.isOver {
      if actions.isEmpty { actions = cycle.advance(try nextKey()) }
      while !actions.isEmpty {
        let action = actions.removeFirst()
        if let result = perform(action) { actions += cycle.advance(result) }
      }
    }
  }

  private mutating func nextKey() throws -> ReviewCycle.Input {
    while true {
      switch try loop.next(wantsAudio: false) {
      case .key(Self.endOfInput), .endOfKeys: return .ended
      case .key(let key): return .key(key)
      case .signal(let signal):
        self.signal = signal
        return .ended
      case .audio, .timeout: break
      }
    }
  }

  /// - Returns: what the cycle continues with.
  private func perform(_ action: ReviewCycle.Action) -> ReviewCycle.Input? {
    do throws(ClipFault) {
      switch action {
      case .show(let entry, let number, let count):
        Output.write(ReviewScreen.question(entry.clip, number: number, of: count))
      case .play(let entry): try player.play(entry, until: { loop.hasInput })
      case .label(let entry, let label):
        try store.label(entry, label)
        return .done
      case .unlabel(let entry, let label):
        try store.unlabel(entry, label)
        return .done
      case .delete(let entry):
        try store.delete(entry)
        return .done
      case .report(let note): Output.write(ReviewScreen.text(of: note))
      case .end(let tally): Output.write(ReviewScreen.text(of: tally))
      }
      return nil
    } catch {
      return .failed(error.message)
    }
  }
}
