import Clips
import CommandLineParsing
import Glibc
import Platform

/// `hotword review`: lists, plays and labels the clips that `run --keep` saved.
enum ReviewCommand: Command {
  static let definition = CommandDefinition(
    "review", "play the clips that 'run --keep' saved, and label them",
    operands: .upTo(1, "DIR"),
    options: [
      .flag("--list", "list all clips, labelled ones included, oldest first"),
      .flag("--json", "list them as JSON, one line per clip"),
      .value(
        "--label", "CLIP=LABEL", repeats: true,
        "label a clip: wake or false-alarm for a wake, missed or rejection for a near miss"),
      .value("--play", "CLIP", repeats: true, "play a clip"),
      SharedOptions.player,
    ],
    notes: [
      "DIR is the folder of 'run --keep' (default: $XDG_DATA_HOME/hotword/clips or ~/.local/share/hotword/clips).",
      """
      On a terminal it plays each clip without a label and waits for a key: p plays it again, y it was the hotword, \
      n it was not, s skip, u undo, d delete, q quit. A label moves the clip to KEYWORD/wakes, KEYWORD/false-alarms, \
      KEYWORD/missed or KEYWORD/rejections in DIR, where it stays until you delete it.
      """,
      "CLIP is a clip's file name or the beginning of it, such as the time that --list shows.",
    ],
    examples: [
      "hotword review", "hotword review --list clips",
      "hotword review clips --label 20261121T131252.120Z=false-alarm",
      "hotword review clips --player 'command:ssh desk aplay -q'",
    ])

  static func run(_ arguments: Arguments) throws {
    let store = arguments.operands.first.map(ClipStore.init(folder:)) ?? .standard()
    let player = try ClipPlayer(arguments)
    let entries = try store.all()
    if entries.isEmpty {
      Log.note("\(store.folder): no clips yet; 'hotword run --keep' stores them")
    }
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
      if Terminal.isInteractive, !entries.isEmpty {
        try review(store, entries.filter { $0.label == nil }, player)
      } else {
        Output.write(ReviewScreen.table(entries))
      }
    }
  }

  /// Parses CLIP=LABEL and checks that the label fits the clip, so that no clip moves if one of several is wrong.
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
  private static func review(_ store: ClipStore, _ entries: [ClipStore.Entry], _ player: ClipPlayer) throws {
    if entries.isEmpty { return Log.note("\(store.folder): every clip has a label; --list shows all") }
    let loop = try ListeningLoop(
      signals: Terminal.signals(for: .lines), beforeForcedExit: Terminal.restore)
    let terminal = Terminal(.lines)
    try loop.readKeys(from: STDIN_FILENO)
    var session = ReviewSession(
      cycle: ReviewCycle(entries), store: store, player: player, loop: loop)
    try withExtendedLifetime(terminal) { try session.run() }
    Terminal.restore()
    if let signal = session.signal { exit(128 + signal) }
  }
}
