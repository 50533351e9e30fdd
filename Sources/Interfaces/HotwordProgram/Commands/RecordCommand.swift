import AudioCapture
import Clips
import CommandLineParsing
import Glibc
import Platform
import SoundCheck

/// `hotword record`: samples of a phrase, one after the other, into a corpus.
enum RecordCommand {
  /// Seconds between two numbers of the countdown.
  private static let beat = 0.5

  static func run(_ arguments: Arguments) throws {
    let phrase = arguments.operands[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !phrase.isEmpty else { throw UsageFault.missingOperand("PHRASE", command: "record") }
    let count = try arguments.integer("--count", in: 1...10_000) ?? 20
    let speaker = arguments.value("--speaker") ?? getenv("USER").map { String(cString: $0) } ?? "me"
    let player = try Player(arguments)
    let input = try InputName(arguments.value("--input") ?? "alsa:default")
    let folder = try VoiceFolder(
      arguments.value("--output")!, speaker: speaker, phrase: phrase,
      locale: arguments.value("--language") ?? "en")
    let done = try folder.count()
    if done > 0 { Log.note("\(folder.path): \(min(done, count)) of \(count) are there already") }
    let isPaced = arguments.has("--pace")
    let source = try input.open(paced: isPaced)
    var hasClock = isPaced
    if case .alsa = input { hasClock = true }
    let ear = try RecordEar(source, hasClock: hasClock)
    let isAttended = Terminal.isThere && input != .standardInput
    var session = Session(
      cycle: RecordCycle(count: count, done: done, isAttended: isAttended), phrase: phrase, folder: folder,
      ear: ear,
      player: player, terminal: isAttended ? Terminal() : nil)
    let recorded = try session.run()
    let signal = session.terminal?.signal
    session.terminal = nil
    let total = done + recorded
    Output.line([
      "phrase": .string(phrase), "speaker": .string(speaker), "recorded": .number(Double(recorded)),
      "total": .number(Double(total)), "wanted": .number(Double(count)), "output": .string(folder.path),
    ])
    if let signal { exit(128 + signal) }
    if total < count { Log.note("\(count - total) more are wanted; the same command goes on") }
  }

  /// One sitting.
  private struct Session {
    var cycle: RecordCycle
    let phrase: String
    let folder: VoiceFolder
    let ear: RecordEar
    let player: Player
    /// nil where nobody sits at the keys.
    var terminal: Terminal?

    /// - Returns: how many were recorded.
    mutating func run() throws -> Int {
      var recorded = 0
      var actions = cycle.begin()
      while true {
        while !actions.isEmpty {
          let action = actions.removeFirst()
          if case .end(let count) = action { recorded = count }
          if let input = try perform(action) { actions += cycle.advance(input) }
        }
        if cycle.isOver { return recorded }
        actions = cycle.advance(terminal?.key().map(RecordCycle.Input.key) ?? .ended)
      }
    }

    /// - Returns: what the cycle must hear of it.
    private func perform(_ action: RecordCycle.Action) throws -> RecordCycle.Input? {
      switch action {
      case .prompt(let number, let count):
        say(RecordScreen.prompt(phrase, number: number, of: count))
        if terminal != nil { countDown() }
      case .listen:
        if terminal != nil {
          try ear.catchUp()
          say("  speak now")
        }
        let isAsked = { terminal?.isAsked ?? false }
        if let take = try ear.take(until: isAsked) { return .take(take) }
        if ear.isEnded { return .ended }
        return terminal?.key().map(RecordCycle.Input.key) ?? .ended
      case .tell(let flaw):
        say(RecordScreen.refused(flaw))
        if terminal != nil { say(RecordScreen.keys(canKeep: false)) }
      case .ask(let take):
        say(RecordScreen.taken(take))
        say(RecordScreen.keys(canKeep: true))
      case .play(let take):
        do throws(ClipFault) {
          try player.play(take.samples, until: { terminal?.isAsked ?? false })
        } catch {
          say("  \(error.message)")
        }
      case .save(let take):
        try folder.add(take.samples)
        if terminal == nil { say(RecordScreen.taken(take)) }
        return .saved
      case .keys(let canKeep): say(RecordScreen.keys(canKeep: canKeep))
      case .end: break
      }
      return nil
    }

    private func countDown() {
      for number in [3, 2, 1] where !(terminal?.isAsked ?? false) {
        say("  \(number)")
        MonotonicClock.sleep(until: MonotonicClock.now() + RecordCommand.beat)
      }
    }

    private func say(_ line: String) { _ = writeAll(Array((line + "\n").utf8), to: STDERR_FILENO) }
  }
}
