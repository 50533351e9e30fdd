import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// `hotword record` with a recording of several takes, and with simulated keys.
@Suite(.limited, .needsProgram) struct RecordTests {
  private static let word = Array(Recordings.order[AudioFormat.samples(0.55)..<AudioFormat.samples(1.4)])

  private static func room(_ seconds: Double) -> [Int16] {
    var random = RandomSource(seed: 6)
    return (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.next() % 41) - 20 }
  }

  /// A good take, a quiet one, a good one, one clipped, a good one.
  private static func session() -> [Int16] {
    // The voice activity detection of WebRTC 1.x does not hear the quiet one, so its take ends after the longest wait.
    let takes: [(gain: Double, pause: Double)] = [(1, 1.6), (0.02, 8.2), (1, 1.6), (40, 1.6), (1, 1.6)]
    return room(1)
      + takes.flatMap { take in
        word.map { Int16(max(-32_768, min(32_767, take.gain * Double($0)))) } + room(take.pause)
      }
  }

  private func table(_ folder: String) throws -> [[String]] {
    String(decoding: try Files.read("\(folder)/validated.tsv"), as: UTF8.self).split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  @Test func aRecordingWithoutAWordIsToldToBeOne() throws {
    let silence = try Recordings.wave([Int16](repeating: 0, count: 48_000))
    let outcome = try Program.run([
      "record", "computer", "--output", Program.temporaryFolder() + "/takes", "--input", silence,
    ])
    #expect(outcome.code == 0 && outcome.errors.contains("no word was found in \(silence)"), "\(outcome)")
  }

  @Test func aRecordingThatEndsInATakeEndsTheCommand() throws {
    for seconds in [0.05, 0.4, 1.6] {
      let cut = try Recordings.wave(Self.room(1) + Self.word + Self.room(seconds))
      let outcome = try Program.run([
        "record", "computer", "--count", "3", "--output", Program.temporaryFolder() + "/takes",
        "--input", cut,
      ])
      #expect(try outcome.objects.first?["wanted"] == 3, "\(outcome)")
    }
  }

  @Test func goodTakesAreSavedAndTheOthersReported() throws {
    let folder = Program.temporaryFolder() + "/new/recordings"
    let session = try Recordings.wave(Self.session())
    let words = [
      "record", "computer", "--count", "4", "--output", folder, "--speaker", "ann", "--input", session,
    ]
    let first = try Program.run(words)
    #expect(first.code == 0, "\(first)")
    #expect(
      try first.objects == [
        try JSON(
          parsing: Array(
            """
            {"phrase":"computer","speaker":"ann","recorded":3,"total":3,"wanted":4,"output":"\(folder)"}
            """.utf8), what: "expected")
      ])
    for part in ["1 of 4: say \"computer\"", "again: too quiet", "again: too loud", "4 of 4"] {
      #expect(first.errors.contains(part), "\(first.errors)")
    }
    let rows = try table(folder)
    #expect(
      rows[0] == [
        "client_id", "path", "sentence", "up_votes", "down_votes", "age", "gender", "accents", "locale",
        "segment",
      ])
    #expect(rows[1] == ["ann", "computer_ann_0001.wav", "computer", "0", "0", "", "", "", "en", ""])
    #expect(rows.count == 4)
    let clip = try AudioFile.read("\(folder)/clips/computer_ann_0003.wav")
    #expect((0.8...1.6).contains(AudioFormat.seconds(clip.count)))

    let second = try Program.run(words)
    #expect(try second.objects.first?["recorded"] == 1 && second.errors.contains("3 of 4 exist already"))
    let third = try Program.run(words)
    #expect(try third.objects.first?["recorded"] == 0 && third.code == 0)
    #expect(!third.errors.contains("no word was found"), "it did not listen")
    _ = try Program.run(words.map { $0 == "ann" ? "bob" : $0 })
    #expect(
      try table(folder).map { $0[0] } == ["client_id"] + Array(repeating: "ann", count: 4) + [
        "bob", "bob", "bob",
      ])

    let report = try Program.run([
      "evaluate", "--model", "computer", "--positives", folder, "--negatives", Program.root + "/Examples",
      "--json",
    ])
    #expect(
      try report.objects.first?["conditions"]?.array?.first?["recordings"] == 7, "\(report.errors)")
    #expect(try Files.list(below: folder).allSatisfy { !$0.hasSuffix(".partial") })
  }

  @Test func takesAreRecordedFromADevice() throws {
    let folder = Program.temporaryFolder()
    let configuration = try Recordings.alsaConfiguration(playing: Self.session())
    let outcome = try Program.shell(
      "ALSA_CONFIG_PATH=\(configuration) USER=eve hotword record computer --count 2 --output \(folder) "
        + "--input alsa:clip </dev/null")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      try table(folder).dropFirst().map { $0[1] } == ["computer_eve_0001.wav", "computer_eve_0002.wav"])
  }

  /// Runs the steps of `terminal.py` on a device that says the word after three seconds and again after ten.
  private func attended(_ steps: String, _ folder: String) throws -> JSON {
    let samples = Self.room(3) + Self.word + Self.room(6.2) + Self.word + Self.room(9)
    let outcome = try Program.shell(
      """
      ALSA_CONFIG_PATH=\(try Recordings.alsaConfiguration(playing: samples)) python3 \
      \(Program.root)/Tests/TestServers/Scripts/terminal.py 80x24 \(steps) -- hotword record computer --count 2 \
      --output \(folder) --speaker ann --input alsa:clip --player 'command:cat >\(folder)/played.wav'
      """)
    return try #require(try outcome.objects.first, "\(outcome.errors)")
  }

  @Test func aTakeIsPlayedRepeatedAndKeptByKeys() throws {
    let folder = Program.temporaryFolder()
    let result = try attended("5.8 key:p 0.7 key:r 6.5 \"key:$(printf '\\r')\" 0.7 key:q", folder)
    #expect(result["code"] == 0 && result["restored"] == true, "\(result)")
    let output = try #require(result["output"]?.string)
    for part in ["1 of 2", "  3\r\n  2\r\n  1\r\n", "speak now", "Enter keep", "2 of 2", "\"recorded\":1"] {
      #expect(output.contains(part), "\(part): \(output)")
    }
    #expect(try table(folder).count == 2)
    #expect(
      abs(try AudioFile.read("\(folder)/played.wav").count - Self.word.count) < AudioFormat.samples(0.7))
  }

  @Test(arguments: [("INT", 130.0), ("HUP", 129)])
  func aSignalEndsTheSessionAndRestoresTheTerminal(_ signal: String, _ code: Double) throws {
    let folder = Program.temporaryFolder()
    let result = try attended("2.5 signal:\(signal)", folder)
    #expect(result["code"]?.number == code && result["restored"] == true, "\(result)")
    #expect(!Files.exists("\(folder)/validated.tsv"))
  }

  @Test(arguments: [
    ("signal:INT", 130.0, true), ("signal:HUP", 129, true), ("signal:HUP", 129, false), ("key:q", 0, true),
  ])
  func anInputWithoutAudioDelaysNeitherKeysNorSignals(_ step: String, _ code: Double, hasWriter: Bool) throws
  {
    let folder = Program.temporaryFolder()
    let outcome = try Program.shell(
      """
      mkfifo \(folder)/pipe; sleep 60 \(hasWriter ? ">\(folder)/pipe" : "") & \
      python3 \(Program.root)/Tests/TestServers/Scripts/terminal.py 80x24 3 \(step) 0.3 -- \
      hotword record computer --output \(folder)/recordings --input \(folder)/pipe; kill $!
      """)
    let result = try #require(try outcome.objects.first, "\(outcome.errors)")
    #expect(result["code"]?.number == code && result["restored"] == true, "\(result)")
  }

  @Test func mistakesAreReportedAndNothingIsWritten() throws {
    let session = try Recordings.wave(Self.session())
    let other = Program.temporaryFolder()
    try Files.write(Array("a\tb\n".utf8), to: "\(other)/validated.tsv")
    let file = try Program.file("file", [1])
    for (words, code, part) in [
      (["computer"], 64, "--output"), (["", "--output", other], 64, "PHRASE"),
      (["computer", "--output", other], 65, "'client_id'"), (["computer", "--output", file], 74, file),
      (["computer", "--output", other + "/x", "--count", "0"], 64, "--count"),
      (["computer", "--output", other + "/x", "--input", "/no/such.wav"], 66, "/no/such.wav"),
    ] as [([String], Int32, String)] {
      let input = words.contains("--input") ? [] : ["--input", session]
      let outcome = try Program.run(["record"] + words + input)
      #expect(outcome.code == code, "\(words): \(outcome)")
      #expect(outcome.output.isEmpty && outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
    }
    #expect(try Files.read("\(other)/validated.tsv") == Array("a\tb\n".utf8))
  }
}
