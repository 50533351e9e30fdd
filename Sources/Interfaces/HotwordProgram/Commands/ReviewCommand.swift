import Clips
import CommandLineParsing
import Glibc
import Platform

/// `hotword review`: lists, plays and labels what `run --keep` kept.
enum ReviewCommand {
  static func run(_ arguments: Arguments) throws {
    let store = arguments.operands.first.map(ClipStore.init(folder:)) ?? .standard()
    let player = try Player(arguments)
    let entries = try store.all()
    let labels = try arguments.all("--label").map { try label($0, of: store, among: entries) }
    let played = try arguments.all("--play").map { name throws(ClipFault) in
      try store.entry(name, among: entries)
    }
    for entry in played { try player.play(entry, until: { false }) }
    for (entry, label) in labels { try store.label(entry, label) }
    if arguments.has("--json") {
      for entry in try store.all() { Output.line(entry.json) }
    } else if arguments.has("--list") {
      Output.write(ReviewScreen.table(try store.all()))
    } else if labels.isEmpty, played.isEmpty {
      if Terminal.isThere {
        ask(store, entries.filter { $0.label == nil }, player)
      } else {
        Output.write(ReviewScreen.table(entries))
      }
    }
  }

  /// Parses CLIP=LABEL; nothing is moved before all are known to be right.
  private static func label(
    _ text: String, of store: ClipStore, among entries: [ClipStore.Entry]
  ) throws(ClipFault) -> (ClipStore.Entry, Label) {
    guard let equals = text.lastIndex(of: "="),
      let label = Label(rawValue: String(text[text.index(after: equals)...]))
    else { throw .badLabel(text) }
    let entry = try store.entry(String(text[..<equals]), among: entries)
    try store.check(label, for: entry)
    return (entry, label)
  }

  /// Goes through `entries` with the person at the terminal.
  private static func ask(_ store: ClipStore, _ entries: [ClipStore.Entry], _ player: Player) {
    if entries.isEmpty { return Log.note("\(store.folder): no clip waits for a label; --list shows all") }
    var review = ReviewCycle(entries)
    let signal: Int32?
    do {
      let terminal = Terminal()
      var actions = review.begin()
      while !actions.isEmpty || !review.isOver {
        if actions.isEmpty { actions = review.advance(terminal.key().map(ReviewCycle.Input.key) ?? .ended) }
        while !actions.isEmpty {
          let action = actions.removeFirst()
          if let answer = perform(action, store, player, terminal) { actions += review.advance(answer) }
        }
      }
      signal = terminal.signal
    }
    if let signal { exit(128 + signal) }
  }

  /// Does what the review asks for.
  ///
  /// - Returns: what the review must hear of it.
  private static func perform(
    _ action: ReviewCycle.Action, _ store: ClipStore, _ player: Player, _ terminal: Terminal
  ) -> ReviewCycle.Input? {
    do throws(ClipFault) {
      switch action {
      case .show(let entry, let number, let count):
        Output.write(ReviewScreen.question(entry.clip, number: number, of: count))
      case .play(let entry): try player.play(entry, until: { terminal.isAsked })
      case .label(let entry, let label):
        try store.label(entry, label)
        return .done
      case .delete(let entry):
        try store.delete(entry)
        return .done
      case .tell(let note): Output.write(ReviewScreen.text(of: note))
      case .end(let tally): Output.write(ReviewScreen.text(of: tally))
      }
      return nil
    } catch {
      return .failed(error.message)
    }
  }
}
