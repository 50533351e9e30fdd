import AudioCapture
import Clips
import CommandLineParsing
import Corpora
import Glibc
import Platform
import SoundCheck

/// `hotword record`: records samples of a phrase, one after the other, into a corpus.
enum RecordCommand: Command {
  static let definition = CommandDefinition(
    "record", "record samples of a phrase, for training and evaluation",
    operands: .exactly(1, "PHRASE"),
    options: [
      .value("--output", "DIR", required: true, "the folder of the recordings, in Common Voice's layout"),
      .value("--count", "N", "recordings by this speaker in total, existing ones included (default: 20)"),
      .value("--speaker", "ID", "the speaker; 'train' never splits a speaker (default: your login name)"),
      .value("--language", "CODE", "stored as the locale of the recordings (default: en)"),
      SharedOptions.input,
      SharedOptions.pace,
      SharedOptions.player,
    ],
    notes: [
      """
      For each recording it prompts, counts down, listens until you have spoken, and checks the take: no speech, too \
      quiet, noisy, clipped, cut off at the beginning or end, too short or too long. Then Enter keeps it, p plays it, \
      r records it again, q quits. The same command continues where the last one stopped. Without a terminal it keeps \
      good takes, repeats the others, and prints plain lines.
      """,
      """
      DIR/clips contains the takes, cut to the speech with 0.3 s around it, as WAV where Common Voice has MP3. \
      DIR/validated.tsv contains the speaker and the phrase of each. 'train' and 'evaluate' accept DIR as it is.
      """,
    ],
    examples: [
      "hotword record \"hello house\" --output recordings --speaker ann",
      "hotword record computer --count 5 --output recordings --input session.wav",
    ])

  static func run(_ arguments: Arguments) throws {
    let phrase = arguments.operands[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !phrase.isEmpty else { throw UsageFault.missingOperand("PHRASE", command: name) }
    let count = try arguments.integer("--count", in: 1...10_000) ?? 20
    let speaker = arguments.value("--speaker") ?? getenv("USER").map { String(cString: $0) } ?? "me"
    let player = try ClipPlayer(arguments)
    let input = try InputName(arguments.value("--input") ?? "alsa:default")
    let folder = try RecordingFolder(
      arguments.value("--output")!, speaker: speaker, phrase: phrase,
      locale: arguments.value("--language") ?? "en")
    let done = try folder.count()
    if done > 0 { Log.note("\(folder.path): \(min(done, count)) of \(count) exist already") }
    let isPaced = arguments.has("--pace")
    let isAttended = Terminal.isInteractive && input != .standardInput
    let loop = try ListeningLoop(
      signals: isAttended ? Terminal.signals(for: .lines) : nil, beforeForcedExit: Terminal.restore)
    try loop.listen { () throws(CaptureFault) in try input.open(paced: isPaced) }
    let recorder = try TakeRecorder(loop, isLive: isPaced || input.isDevice)
    var session = RecordSession(
      cycle: RecordCycle(count: count, done: done, isAttended: isAttended), phrase: phrase, folder: folder,
      loop: loop, recorder: recorder, player: player, isAttended: isAttended)
    let terminal = isAttended ? Terminal(.lines) : nil
    if isAttended { try loop.readKeys(from: STDIN_FILENO) }
    let recorded = try withExtendedLifetime(terminal) { try session.run() }
    Terminal.restore()
    let total = done + recorded
    Output.line([
      "phrase": .string(phrase), "speaker": .string(speaker), "recorded": .number(Double(recorded)),
      "total": .number(Double(total)), "wanted": .number(Double(count)), "output": .string(folder.path),
    ])
    if let signal = session.signal { exit(128 + signal) }
    if recorded == 0, done < count, !isAttended {
      Log.warning("no word was found in \(arguments.value("--input") ?? "the input")")
    }
    if total < count { Log.note("\(count - total) more to record; run the same command to continue") }
  }
}
