import AudioCapture
import Platform
import TestServers
import Testing

/// Saved clips listed, played and labelled, by options and by keys.
@Suite(.limited, .needsProgram) struct ReviewTests {
  private let folder = Program.temporaryFolder()
  private let samples = Array(Recordings.order.prefix(16_000))
  private static let names = [
    "20261121T131252.120Z_computer_wake_0.908", "20261121T131300.000Z_computer_near-miss_0.412",
    "20261121T131310.000Z_smart_mirror_wake_0.700",
  ]
  private static let silent = "--player 'command:cat >/dev/null'"

  init() throws {
    for name in Self.names { try AudioFile.write(samples, to: "\(folder)/\(name).wav") }
  }

  /// The folder's files, without the folder.
  private func files() throws -> [String] {
    try Files.list(below: folder).map { String($0.dropFirst(folder.count + 1)) }
  }

  @Test func clipsAreListedOldestFirst() throws {
    let outcome = try Program.run(["review", folder, "--list"])
    #expect(
      outcome.lines == [
        "20261121T131252.120Z  computer      wake       0.908  -",
        "20261121T131300.000Z  computer      near-miss  0.412  -",
        "20261121T131310.000Z  smart_mirror  wake       0.700  -",
      ])
    #expect(try Program.run(["review", folder]).lines == outcome.lines, "without a terminal too")
    let line = try #require(try Program.run(["review", folder, "--json"]).lines.first)
    #expect(
      line == """
        {"clip":"\(folder)/\(Self.names[0]).wav","time":"2026-11-21T13:12:52.120Z","keyword":"computer",\
        "kind":"wake","score":0.908,"label":null}
        """)
  }

  @Test func labelsMoveClipsToTheirFolders() throws {
    let outcome = try Program.run([
      "review", folder, "--label", "20261121T131252=false-alarm",
      "--label", "\(folder)/\(Self.names[1]).wav=missed", "--json",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try outcome.objects.map { $0["label"]?.string } == ["false-alarm", "missed", nil])
    #expect(
      try files() == [
        "\(Self.names[2]).wav", "computer/false-alarms/\(Self.names[0]).wav",
        "computer/missed/\(Self.names[1]).wav",
      ])
    #expect(try AudioFile.read("\(folder)/computer/missed/\(Self.names[1]).wav") == samples)
  }

  @Test func aWrongLabelMovesNothing() throws {
    for (label, part) in [
      ("20261121T131300=wake", "missed or rejection"), ("20261121T131300=maybe", "false-alarm"),
      ("20261121T131300", "CLIP=LABEL"), ("2026=wake", "3 clips"), ("2025=wake", "no clip"),
    ] {
      let outcome = try Program.run(["review", folder, "--label", "20261121T131252=wake", "--label", label])
      #expect(outcome.code == (part == "no clip" ? 66 : 64), "\(label)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
    }
    #expect(try files() == Self.names.map { "\($0).wav" })
  }

  @Test func badInputIsReported() throws {
    for (words, code, part) in [
      ([folder + "/none"], 66, "no such folder"), (["\(folder)/\(Self.names[0]).wav"], 65, "not a folder"),
      ([folder, "--player", "aplay"], 64, "command:LINE"), ([folder, "more"], 64, "more"),
      ([folder, "--play", "20261121T131252", "--player", "command:echo broken >&2; exit 3"], 69, "broken"),
      ([folder, "--play", "20261121T131252", "--player", "alsa:no-such-card"], 69, "alsa:no-such-card"),
    ] as [([String], Int32, String)] {
      let outcome = try Program.run(["review"] + words)
      #expect(outcome.code == code, "\(words): \(outcome.errors)")
      #expect(outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
    }
    try Files.write([1, 2, 3], to: "\(folder)/\(Self.names[0]).wav")
    let outcome = try Program.run(["review", folder, "--play", "20261121T131252"])
    #expect(outcome.code == 65)
    #expect(outcome.onlyError?.contains(Self.names[0]) == true, "\(outcome.errors)")
  }

  @Test func aClipIsPlayedSampleForSample() throws {
    let played = "\(folder)/played.raw"
    let configuration = """
      pcm.nothing { type null }
      pcm.speaker { type file slave.pcm nothing file "\(played)" format raw }
      """
    let path = try Program.file("asound.conf", Array(configuration.utf8))
    let line = "hotword review \(folder) --play 20261121T131252 --player"
    let outcome = try Program.shell("ALSA_CONFIG_PATH=\(path) \(line) alsa:speaker")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let raw = try Files.read(try Recordings.raw(samples))
    #expect(try Files.read(played) == raw)
    #expect(try Program.shell("\(line) 'command:cat >\(played)'").code == 0)
    #expect(try Files.read(played).suffix(raw.count) == raw[...])
  }

  @Test func keysLabelClipsAndTheTerminalIsRestored() throws {
    let line = """
      (sleep 1; printf 'y'; sleep 0.5; printf 'x'; sleep 0.5; printf 'n'; sleep 0.5; printf 'dd') | \
      script -qec "stty -g; hotword review \(folder) \(Self.silent); echo code \\$?; stty -g" /dev/null
      """
    let outcome = try Program.shell(line)
    let lines = outcome.output.split { $0.isNewline }.map(String.init)
    #expect(outcome.output.contains("2 of 3"), "\(outcome.output)")
    #expect(outcome.output.contains("2 labelled, 1 deleted, 0 left"), "\(outcome.output)")
    #expect(lines.contains("code 0"))
    #expect(lines.first == lines.last)
    #expect(
      try files() == ["computer/rejections/\(Self.names[1]).wav", "computer/wakes/\(Self.names[0]).wav"])
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func aSignalRestoresTheTerminal(_ signal: String, _ code: Int) throws {
    let line = """
      sleep 3 | script -qec "stty -g; timeout --foreground --preserve-status -s \(signal) 1 \
      hotword review \(folder) \(Self.silent); echo code \\$?; stty -g" /dev/null
      """
    let lines = try Program.shell(line).output.split { $0.isNewline }.map(String.init)
    #expect(lines.contains("code \(code)"), "\(lines)")
    #expect(lines.first == lines.last)
    #expect(try files() == Self.names.map { "\($0).wav" })
  }
}
