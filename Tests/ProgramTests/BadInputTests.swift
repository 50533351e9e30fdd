import Glibc
import Platform
import TestServers
import Testing

/// A mistake gives one line on standard error, its exit code, and nothing on standard output.
@Suite(.limited, .needsProgram) struct BadInputTests {
  private func expectFault(
    _ words: [String], code: ExitCode, naming parts: String..., location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try Program.run(words)
    #expect(outcome.code == code.rawValue, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
    let line = try #require(outcome.onlyError, "\(outcome.errors)", sourceLocation: location)
    #expect(line.hasPrefix("hotword: "), sourceLocation: location)
    for part in parts { #expect(line.contains(part), "\(line)", sourceLocation: location) }
  }

  @Test func aMistypedCommandOrOptionGetsASuggestion() throws {
    try expectFault(["detct"], code: .usage, naming: "'detct'", "detect")
    try expectFault(["detect", "--modle", "x", "a.wav"], code: .usage, naming: "--modle", "--model")
    try expectFault(["detect", "a.wav"], code: .usage, naming: "--model")
    try expectFault(
      ["detect", "--model", "computer", "--sensitivity", "2", "a.wav"], code: .usage, naming: "0 to 1", "'2'")
  }

  @Test func anUnknownModelIsReportedWithTheInstalledOnes() throws {
    try expectFault(
      ["detect", "--model", "computre", Program.recording], code: .noInput, naming: "computre", "computer")
  }

  @Test func aMissingFileOrFolderIsReported() throws {
    try expectFault(
      ["detect", "--model", "computer", "/nonexistent.wav"], code: .noInput, naming: "/nonexistent.wav")
    try expectFault(["detect", "--model", "computer", "/tmp"], code: .badData, naming: "/tmp", "directory")
  }

  @Test func aFileThatIsNotAudioIsReported() throws {
    let path = try Program.file("notes.wav", Array("this is no audio at all".utf8))
    try expectFault(["detect", "--model", "computer", path], code: .badData, naming: path)
    let empty = try Program.file("empty.wav", [])
    try expectFault(["score", "--model", "computer", empty], code: .badData, naming: empty)
  }

  @Test func pipesThatNobodyWritesToAndDevicesAreRejected() throws {
    let folder = Program.temporaryFolder()
    let pipe = "\(folder)/pipe.wav"
    try #require(Program.shell("mkfifo \(pipe)").code == 0)
    try expectFault(["run", "--config", pipe], code: .inputOutput, naming: pipe)
    try expectFault(["detect", "--model", pipe, Program.recording], code: .inputOutput, naming: pipe)
    try expectFault(
      ["evaluate", "--model", "computer", "--positives", folder, "--negatives", folder], code: .badData,
      naming: folder)
  }

  /// A pipe may get its writer later, as with `cat`.
  @Test func aSignalEndsTheWaitForAPipesWriter() throws {
    let pipe = "\(Program.temporaryFolder())/pipe"
    let outcome = try Program.shell(
      """
      mkfifo \(pipe)
      timeout -k 5 2 hotword run --input \(pipe) >/dev/null; echo $?
      timeout -k 5 1 hotword transcribe \(pipe); echo $?
      timeout -k 5 1 hotword detect --model computer \(pipe); echo $?
      """)
    #expect(outcome.output == "124\n124\n124\n", "\(outcome.errors)")
  }

  @Test func aFileThatMayNotBecomeAsLargeAsNeededIsReportedBeforeTheWork() throws {
    let outcome = try Program.shell(
      "ulimit -f 1000; hotword train 'hello house' --output $HOME/m.safetensors; echo $?; ls $HOME")
    #expect(outcome.output == "\(ExitCode.inputOutput.rawValue)\nerrors\n")
    // espeak-ng's sound library may complain of the limit, too.
    #expect(outcome.errors.contains("m.safetensors: cannot be written: file too large"), "\(outcome.errors)")
  }

  @Test func aTruncatedRecordingIsReported() throws {
    let whole = try Files.read(Program.recording)
    let path = try Program.file("cut.wav", Array(whole[..<(whole.count / 2)]))
    try expectFault(["transcribe", path], code: .badData, naming: path, "truncated")
  }

  @Test func aCorruptOrHostileModelIsRejected() throws {
    let model = try Files.read("\(Program.root)/Models/computer.safetensors")
    let cut = try Program.file("cut.safetensors", Array(model[..<(model.count - 100)]))
    try expectFault(["detect", "--model", cut, Program.recording], code: .badData, naming: cut)
    var huge = model
    huge.replaceSubrange(0..<8, with: [255, 255, 255, 255, 255, 255, 255, 127])
    let hostile = try Program.file("hostile.safetensors", huge)
    try expectFault(["detect", "--model", hostile, Program.recording], code: .badData, naming: hostile)
  }

  @Test func anUnknownDeviceIsReported() throws {
    try expectFault(
      ["run", "--input", "alsa:hw:CARD=nothing"], code: .unavailable, naming: "hw:CARD=nothing",
      "hotword devices")
  }

  @Test func anEmptyPhraseAndAnUnwritableOutputAreRejectedBeforeTraining() throws {
    try expectFault(["train", ""], code: .usage, naming: "phrase")
    try expectFault(
      ["train", "hello house", "--output", "/nonexistent/m.safetensors"], code: .inputOutput,
      naming: "/nonexistent/m.safetensors")
    try expectFault(
      ["train", "hello house", "--positives", "/nonexistent"], code: .noInput, naming: "/nonexistent")
  }

  @Test func aPhraseAndAModelToImproveExcludeEachOther() throws {
    try expectFault(["train"], code: .usage, naming: "PHRASE or --improve M")
    try expectFault(
      ["train", "computer", "--improve", "computer", "--missed", "/tmp"], code: .usage, naming: "--improve",
      "not both")
    try expectFault(
      ["train", "--improve", "computer"], code: .usage, naming: "--false-alarms DIR", "--missed DIR")
    try expectFault(
      ["train", "computer", "--missed", "/tmp"], code: .usage, naming: "--missed", "--improve M")
    try expectFault(
      ["train", "--improve", "computre", "--missed", "/tmp"], code: .noInput, naming: "computre", "computer")
    try expectFault(
      ["train", "--improve", "computer", "--missed", "/nonexistent"], code: .noInput, naming: "/nonexistent")
  }

  @Test func aSynthesizerThatCannotSpeakIsReported() throws {
    let output = "\(Program.temporaryFolder())/x.safetensors"
    try expectFault(
      ["train", "computer", "--synthesizer", "cat", "--no-synthesis"], code: .usage, naming: "--synthesizer",
      "--no-synthesis")
    try expectFault(
      ["train", "--improve", "computer", "--missed", "/tmp", "--synthesizer", "cat"], code: .usage,
      naming: "--synthesizer", "--improve")
    try expectFault(
      [
        "train", "computer", "--synthesizer", "cat", "--pronunciation", "K AH M P Y UW T ER", "--output",
        output,
      ],
      code: .usage, naming: "--synthesizer", "--pronunciation spelled")
    let failed = try Program.run(
      ["train", "computer", "--synthesizer", "/nonexistent/speak --fast", "--output", output])
    #expect(failed.code == ExitCode.unavailable.rawValue && failed.output.isEmpty, "\(failed)")
    let line = failed.errors.split(separator: "\n").last ?? ""
    #expect(line.contains("--synthesizer speak: ") && line.contains("not found"), "\(line)")
    #expect(!Files.exists(output))
  }

  @Test func anInterruptionEndsTheSynthesizerToo() throws {
    let folder = Program.temporaryFolder()
    let training = try RunningProgram([
      "train", "hello house", "--synthesizer", "echo $$ >\(folder)/process; exec sleep 600", "--output",
      "\(folder)/x.safetensors",
    ])
    func synthesizer() -> pid_t? {
      let line = (try? Files.read("\(folder)/process")) ?? []
      return pid_t(String(decoding: line.dropLast(), as: UTF8.self))
    }
    #expect(Waiting.until { synthesizer() != nil })
    let outcome = try training.end(by: SIGINT)
    #expect(outcome.code == 130)
    #expect(outcome.errors.contains("interrupted; nothing was written"), "\(outcome.errors)")
    #expect(kill(try #require(synthesizer()), 0) == -1)
    #expect(!Files.exists("\(folder)/x.safetensors"))
  }

  @Test func anUnusableFolderForTheEvaluationModelIsReportedBeforeTraining() throws {
    let folder = Program.temporaryFolder()
    try expectFault(
      ["train", "computer", "--evaluation", folder], code: .usage, naming: "--evaluation", "--positives DIR")
    try expectFault(
      ["train", "computer", "--output", "\(folder)/x (new).safetensors"], code: .usage, naming: "x (new)",
      "--output")
    try expectFault(
      ["train", "computer", "--positives", folder, "--evaluation", "/nonexistent"], code: .noInput,
      naming: "/nonexistent")
    try expectFault(
      [
        "train", "computer", "--positives", folder, "--evaluation", folder, "--output",
        "\(folder)/computer.safetensors",
      ],
      code: .usage, naming: "--evaluation \(folder)", "use another one")
    try expectFault(
      ["train", "--improve", "computer", "--missed", folder, "--evaluation", folder], code: .usage,
      naming: "--evaluation", "--improve")
  }

  @Test func anEncoderOfAnotherWidthIsNotContinued() throws {
    try expectFault(
      [
        "train-encoder", "--transcripts", "x.tsv", "--negatives", "/tmp", "--from",
        "Models/training/encoder.safetensors",
        "--channels", "64",
      ], code: .badData, naming: "Models/training/encoder.safetensors", "--channels 256")
  }

  @Test func anUnknownLanguageOrPronunciationIsReportedBeforeTraining() throws {
    try expectFault(
      ["train", "hallo", "--language", "dee"], code: .usage, naming: "'dee'", "did you mean de?")
    try expectFault(
      ["train", "computer", "--pronunciation", "K AH M P J UW T ER"], code: .usage, naming: "'J'", "JH")
    try expectFault(
      ["train", "computer", "--pronunciation", "[[k@m~]]"], code: .usage, naming: "'~'",
      "espeak-ng -v en -q -x")
    try expectFault(["train", "привет"], code: .badData, naming: "привет", "--language")
  }

  @Test func brokenYAMLIsReportedWithLineAndColumn() throws {
    let broken = try Program.file("broken.yaml", Array("language: en\nintents:\n  A: [\n".utf8))
    try expectFault(["understand", "--intents", broken, "hello"], code: .badData, naming: "\(broken):")
    let config = try Program.file("config.yaml", Array("input: x.wav\nmodles: [computer]\n".utf8))
    try expectFault(
      ["run", "--config", config], code: .configuration, naming: "\(config):2:1", "modles", "models")
  }

  @Test(arguments: [
    "", "input: [a\n", "- computer\n", "silence: 99\n", "events: xml\n", "input: a\ninput: b\n",
  ])
  func aWrongConfigurationIsReported(_ text: String) throws {
    let path = try Program.file("hotword.yaml", Array(text.utf8))
    try expectFault(["run", "--config", path], code: .configuration, naming: path)
  }

  @Test func unknownPlugInsAreReported() throws {
    try expectFault(
      ["transcribe", "--recognizer", "whisper", Program.recording], code: .configuration, naming: "'whisper'",
      "pocketsphinx")
    for handler in ["comand:KEY=secret curl", "https://user:secret@host:x/?key=secret"] {
      let outcome = try Program.run(["run", "--input", Program.recording, "--handler", handler])
      #expect(
        outcome.code == ExitCode.configuration.rawValue && !outcome.errors.contains("secret"),
        "\(outcome.errors)")
    }
  }

  @Test func aLanguageWithoutABuiltInRecognizerIsReported() throws {
    let path = try Program.file(
      "licht.yaml",
      Array(
        """
        language: de
        recognizer: builtin
        intents:
          Licht:
            data:
              - sentences: ["turn (on|off) the kitchen light"]
        """.utf8))
    for words in [[], ["--recognizer", "builtin"], ["--recognizer", "pocketsphinx"]] {
      try expectFault(
        ["transcribe", "--intents", path] + words + [Program.recording], code: .unavailable, naming: "'de'",
        "'en'", "whisper:")
    }
    try expectFault(
      ["run", "--intents", path, "--input", Program.recording], code: .unavailable, naming: "'de'", "whisper:"
    )
    try expectFault(
      ["run", "--check", "--intents", path, "--input", Program.recording], code: .unavailable, naming: "'de'",
      "whisper:")
  }
}
