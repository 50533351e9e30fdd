import AudioCapture
import Glibc
import PCM
import Platform

/// A folder in which the examples of the help run unchanged: it has the files that they name, a sound device that reads from a
/// file, and the programs that they call.
struct ExampleSandbox {
  let folder = Program.temporaryFolder()

  init() throws {
    try makeAudio()
    try makeModels()
    try makePrograms()
    for (name, source) in [
      ("home.yaml", "Sources/Conversation/Understanding/Resources/home.yaml"), ("Examples", "Examples"),
    ] { symlink("\(Program.root)/\(source)", "\(folder)/\(name)") }
  }

  /// Runs an example's line; a command that does not end by itself gets SIGTERM after some seconds.
  func run(_ example: String) throws -> Program.Outcome {
    // Only the system service may write to this folder.
    let line = example.replacing("/run/hotword", with: folder)
    return try Program.shell(
      """
      cd \(folder); export PATH=\(folder)/bin:$PATH HOME=\(folder)/home ALSA_CONFIG_PATH=\(folder)/asound.conf
      \(line)
      """, timeout: 600)
  }

  /// "computer" by the voice of the example; no two takes are equal.
  private func makeAudio() throws {
    var random = RandomSource(seed: 3)
    func room(_ seconds: Double, level: Int = 40) -> [Int16] {
      (0..<AudioFormat.samples(seconds)).map { _ in
        Int16(random.next() % UInt64(2 * level + 1)) - Int16(level)
      }
    }
    let word = Array(Recordings.order.prefix(AudioFormat.samples(1.5)))
    func take(_ number: Int) -> [Int16] {
      let gain = 1 - 0.05 * Double(number)
      return zip(word, room(1.5, level: 4)).map { Int16(Double($0) * gain) + $1 }
    }
    let rest = Array(Recordings.order.dropFirst(word.count))
    for name in ["meeting.wav", "evening.flac", "order.wav"] { try write(Recordings.order, name) }
    for number in 1...4 {
      try write(take(number), "ann-\(number).wav")
      for place in ["clips", "jarvis", "home/models"] {
        try write(take(number), "\(place)/2026112\(number)T131252.120Z_computer_wake_0.908.wav")
      }
      try write(
        take(number), "clips/computer/missed/2026112\(number)T131310.000Z_computer_near-miss_0.402.wav")
      let other = rest + room(Double(number))
      try write(other, "clips/computer/false-alarms/2026112\(number)T131300.000Z_computer_wake_0.612.wav")
      for place in ["speech", "house/radio"] { try write(other, "\(place)/\(number).wav") }
      try write(room(4, level: 400), "noise/\(number).wav")
      try write(
        take(number), "home/.local/share/hotword/clips/2026112\(number)T131252.120Z_computer_wake_0.908.wav")
    }
    let session = (0..<8).flatMap { room(2) + take($0) + room(2) }
    try write(session, "session.wav")
    // The first seventeen of twenty takes.
    for number in 1...17 { try write(take(number % 8) + room(1), "recordings/clips/\(number).wav") }
    let rows = (1...17).map { "ann\t\($0).wav\thello house\ten\n" }
    try text("client_id\tpath\tsentence\tlocale\n" + rows.joined(), "recordings/validated.tsv")
    let raw = try Recordings.raw(session)
    try text(
      """
      pcm.nothing { type null }
      pcm.recording {
        type file slave.pcm nothing file /dev/null infile "\(raw)" format raw
        hint { show on description "A recording" }
      }
      pcm.!default { type plug slave.pcm recording }
      pcm.plughw { @args [ CARD DEV ] @args.CARD { type string } @args.DEV { type integer } type plug slave.pcm recording }
      ctl.!default { type hw card 0 }

      """, "asound.conf")
    symlink(raw, "\(folder)/microphone.raw")
  }

  /// Links to the models that come with hotword; training writes its own next to them.
  private func makeModels() throws {
    for path in try Files.list(below: "\(Program.root)/Models") {
      let name = String(path.dropFirst(Program.root.count + 1))
      guard path.hasSuffix(".safetensors") || path.hasSuffix(".bin") else { continue }
      try Files.createFolder(
        "\(folder)/\(name.prefix(name.count - (name.split(separator: "/").last?.count ?? 0)))")
      symlink(path, "\(folder)/\(name)")
    }
  }

  private func makePrograms() throws {
    // Commands that do not end by themselves get SIGTERM, or a key.
    try program(
      "hotword",
      """
      case "$1 $*" in
        *--check*|*--list*) ;;
        run*|serve*|satellite*|web*) exec timeout --preserve-status -s TERM 5 \(Program.path) "$@" ;;
        record*) exec timeout --preserve-status -s TERM 120 \(Program.path) "$@" ;;
        monitor*) { sleep 3; printf q; } | TERM=xterm script -qec "\(Program.path) $*" /dev/null; exit ;;
      esac
      exec \(Program.path) "$@"
      """)
    try program("arecord", "exec cat \(folder)/microphone.raw")
    try program("ssh", "exec cat >/dev/null")
    try program("whisper-cli", "cat >/dev/null; echo turn on the kitchen light")
  }

  private func program(_ name: String, _ lines: String) throws {
    try text("#!/bin/sh\n\(lines)\n", "bin/\(name)")
    chmod("\(folder)/bin/\(name)", 0o755)
  }

  private func text(_ text: String, _ name: String) throws {
    try Files.createFolder(parent(name))
    try Files.write(Array(text.utf8), to: "\(folder)/\(name)")
  }

  private func write(_ samples: [Int16], _ name: String) throws {
    try Files.createFolder(parent(name))
    try AudioFile.write(samples, to: "\(folder)/\(name)")
  }

  private func parent(_ name: String) -> String {
    (folder + "/" + name).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }
}
