import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// `hotword doctor` with good and broken inputs.
@Suite(.limited, .needsProgram) struct DoctorTests {
  private struct Findings {
    let outcome: Program.Outcome
    let lines: [JSON]

    init(_ outcome: Program.Outcome) throws {
      self.outcome = outcome
      lines = try outcome.objects
    }

    func all(_ check: String) -> [JSON] { lines.filter { $0["check"]?.string == check } }

    func states(_ check: String) -> [String] { all(check).compactMap { $0["state"]?.string } }

    func message(_ check: String) -> String {
      all(check).compactMap { $0["message"]?.string }.joined(separator: "\n")
    }
  }

  private func doctor(_ words: [String]) throws -> Findings {
    try Findings(try Program.run(["doctor", "--json"] + words))
  }

  /// Two seconds of a tone.
  private func tone(_ level: Double) -> [Int16] {
    (0..<32_000).map { Int16(max(-32_767, min(32_767, level * 32_768 * sin(0.2 * Double($0))))) }
  }

  @Test func aRecordingIsMeasured() throws {
    let found = try doctor(["--input", Program.recording])
    #expect(found.outcome.code == 0 && found.outcome.errors.isEmpty, "\(found.outcome)")
    #expect(
      found.lines.compactMap { $0["check"]?.string }.filter { $0 != "permission" } == [
        "settings", "devices", "input", "sound", "hotword", "real time", "memory", "model", "intents",
        "recognizer", "handler",
      ])
    let sound = try #require(found.all("sound").first)
    #expect(sound["noiseFloor"]!.number! < -50 && sound["level"]!.number! > -20)
    #expect(sound["clipped"] == 0 && abs(sound["seconds"]!.number! - 8.96) < 0.1)
    let hotword = try #require(found.all("hotword").first)
    #expect(hotword["score"]!.number! > hotword["threshold"]!.number!)
  }

  @Test func aFaultyIntentFileDoesNotHideTheFaultsOfOtherParts() throws {
    let folder = Program.temporaryFolder()
    let intents = try Program.file("home.yaml", Array("language: en\nintnets: {}\nskip_word: [a]\n".utf8))
    let settings = "\(folder)/config.yaml"
    try Files.write(
      Array("intents: \(intents)\nhandlers: [\"command:no-such-program\"]\n".utf8), to: settings)
    let found = try doctor(["--config", settings, "--input", Program.recording])
    #expect(found.states("intents") == ["fault", "fault"])
    #expect(found.states("handler") == ["fault"])
    #expect(found.outcome.code == ExitCode.badData.rawValue)
  }

  @Test func aHotwordThatWasNotSaidIsAWarning() throws {
    let path = "\(Program.temporaryFolder())/hum.wav"
    let hum = (0..<48_000).map { Int16(3_000 * sinf(0.05 * Float($0))) }
    try AudioFile.write(hum, to: path)
    #expect(try doctor(["--input", path]).states("hotword") == ["warning"])
  }

  @Test func withoutADeviceTheListIsAFault() throws {
    let outcome = try Program.shell("ALSA_CONFIG_PATH=/dev/null hotword devices")
    #expect(outcome.code == ExitCode.unavailable.rawValue && outcome.output.isEmpty)
    #expect(outcome.onlyError?.contains("hotword doctor") == true, "\(outcome.errors)")
  }

  @Test func aDeviceIsMeasuredForSomeSeconds() throws {
    let configuration = try Recordings.alsaConfiguration(playing: Recordings.order)
    let outcome = try Program.shell(
      "ALSA_CONFIG_PATH=\(configuration) hotword doctor --json --input alsa:clip </dev/null")
    let found = try Findings(outcome)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(found.all("input").first?["rate"] == 16_000)
    let hotword = try #require(found.all("hotword").first)
    #expect(hotword["score"]!.number! > hotword["threshold"]!.number!)
    #expect(abs(found.all("sound").first!["seconds"]!.number! - 5) < 0.2)
  }

  @Test func onATerminalItPromptsForQuietAndForTheHotword() throws {
    var random = RandomSource(seed: 4)
    let room = (0..<AudioFormat.samples(2)).map { _ in Int16(random.next() % 41) - 20 }
    let configuration = try Recordings.alsaConfiguration(playing: room + Recordings.order)
    let outcome = try Program.shell(
      "ALSA_CONFIG_PATH=\(configuration) script -qec 'hotword doctor --input alsa:clip; echo code $?' /dev/null"
    )
    #expect(outcome.output.contains("be quiet"), "\(outcome)")
    #expect(outcome.output.contains("say \"computer\""))
    #expect(outcome.output.contains("ok       hotword"))
    #expect(outcome.output.contains("code 0"))
  }

  @Test func flawsOfTheAudioAreReported() throws {
    let dead = try doctor(["--input", try Recordings.wave([Int16](repeating: 0, count: 32_000))])
    #expect(dead.outcome.code == 69 && dead.states("sound") == ["fault"], "\(dead.lines)")
    #expect(dead.message("sound").contains("alsamixer"))
    let clipped = try doctor(["--input", try Recordings.wave(tone(3))])
    #expect(clipped.outcome.code == 0 && clipped.states("sound").contains("warning"))
    #expect(clipped.message("sound").contains("clipped"))
    let offset = try doctor(["--input", try Recordings.wave(tone(0.1).map { $0 + 2_000 })])
    #expect(offset.outcome.code == 0 && offset.message("sound").contains("offset"))
  }

  @Test func aSilentChannelIsReported() throws {
    let samples = tone(0.1)
    var bytes = WAVHeader(channels: 2, dataLength: 4 * samples.count).encoded()
    for sample in samples {
      let value = UInt16(bitPattern: sample)
      bytes += [UInt8(value & 0xFF), UInt8(value >> 8), 0, 0]
    }
    let found = try doctor(["--input", try Program.file("half.wav", bytes)])
    #expect(found.outcome.code == 0)
    #expect(found.all("input").first?["channels"] == 2)
    #expect(found.states("channels") == ["warning"])
    #expect(found.message("channels").hasPrefix("channel 1 is silent (of channels 0 to 1)"))
  }

  @Test func theFirstFaultSetsTheExitCode() throws {
    let port = "127.0.0.1:1"
    func settings(_ text: String) throws -> [String] {
      let text = "input: \(Program.recording)\n\(text)\n"
      return ["--config", try Program.file("hotword.yaml", Array(text.utf8))]
    }
    for (words, check, part, code) in [
      (["--input", "alsa:no-such-card"], "input", "hotword devices", 69),
      (["--input", "/no/such/file.wav"], "input", "/no/such/file.wav", 66),
      (["--input", Program.recording, "--model", "computre"], "model", "computer", 66),
      (try settings("handlers: ['mqtt://\(port)']"), "handler", port, 69),
      (try settings("handlers: ['command:no-such-program -x']"), "handler", "no-such-program", 69),
      (try settings("hermes: 'mqtt://\(port)'"), "hermes", port, 69),
      (try settings("recognizer: 'wyoming:tcp://\(port)'"), "recognizer", port, 69),
      (try settings("recogniser: pocketsphinx"), "settings", "recognizer", 78),
      (try settings("intents: /no/such/home.yaml"), "intents", "/no/such/home.yaml", 66),
      (try settings("sounds: true\nplayer: alsa:no-such-card"), "player", "no-such-card", 69),
    ] as [([String], String, String, Int32)] {
      let found = try doctor(words)
      let note = "\(words): \(found.lines)"
      #expect(found.states(check).contains("fault"), "\(note)")
      #expect(found.message(check).contains(part), "\(note)")
      if check != "settings" { #expect(found.outcome.code == code, "\(note)") }
    }
    let both = try doctor(["--input", "/no/such/file.wav", "--model", "no-such-model"])
    #expect(both.outcome.code == 66)
    let instead = try doctor(
      try settings("recognizer: ['wyoming:tcp://\(port)', pocketsphinx]"))
    #expect(
      instead.outcome.code == 0 && instead.states("recognizer") == ["warning", "ok"], "\(instead.lines)")
  }
}
