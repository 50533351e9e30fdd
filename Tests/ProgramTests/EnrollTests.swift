import AudioCapture
import Glibc
import PCM
import Platform
import TestServers
import Testing

/// Enrolled voices, from enrollment to the events.
@Suite(.limited, .needsProgram) struct EnrollTests {
  /// "computer" three times by the voice of the example, in separate clips.
  static func clips() throws -> [String] {
    var random = RandomSource(seed: 3)
    let word = Array(Recordings.order.prefix(AudioFormat.samples(1.5)))
    return try [1.0, 0.8, 0.6].map { gain in
      try Recordings.wave(word.map { Int16(Double($0) * gain) + Int16(random.next() % 7) - 3 })
    }
  }

  /// The same word three times, faster: another voice.
  static func otherClips() throws -> [String] {
    let word = Array(Recordings.order.prefix(AudioFormat.samples(1.5)))
    let higher = stride(from: 0, to: word.count * 10, by: 13).map { word[$0 / 10] }
    return try [0.9, 0.7, 0.5].map { gain in try Recordings.wave(higher.map { Int16(Double($0) * gain) }) }
  }

  /// Enrolls a voice with clips of "computer" in a data folder.
  static func enroll(_ name: String, _ clips: [String], in data: String) throws {
    let outcome = try Program.shell(
      "XDG_DATA_HOME=\(data) hotword enroll \(name) --phrase computer \(clips.joined(separator: " "))")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  /// Runs shell lines with a new data folder.
  private func shell(_ lines: [String], data: String) throws -> Program.Outcome {
    try Program.shell((["export XDG_DATA_HOME=\(data)"] + lines).joined(separator: "\n"))
  }

  private func enroll(_ clips: [String], data: String) throws -> Program.Outcome {
    try shell(["hotword enroll ann --phrase computer \(clips.joined(separator: " "))"], data: data)
  }

  @Test func detectScoreAndRunReportAnEnrolledVoice() throws {
    let data = Program.temporaryFolder()
    let enrolled = try enroll(Self.clips(), data: data)
    #expect(enrolled.code == 0, "\(enrolled.errors)")
    let line = try #require(try enrolled.objects.first)
    #expect(line["name"]?.string == "ann")
    #expect(line["phrase"]?.string == "computer")
    #expect(line["clips"]?.number == 3)
    #expect(try #require(line["consistency"]?.number) > 0.5)
    let personal = try #require(line["model"]?.string)
    #expect(personal == "\(data)/hotword/models/ann-computer.safetensors")
    let own = try shell(["hotword detect --model ann-computer \(Program.recording)"], data: data).objects
    #expect(own.map { $0["speaker"]?.string } == ["ann", "ann"])

    let recording = Program.recording
    let detected = try shell(["hotword detect --model computer \(recording)"], data: data).objects
    #expect(detected.count == 2)
    for hit in detected {
      #expect(hit["speaker"]?.string == "ann")
      #expect(try #require(hit["speakerScore"]?.number) >= 0.5)
    }
    let peak = try #require(
      try shell(["hotword score --model computer \(recording)"], data: data).objects.first {
        ($0["score"]?.number ?? 0) > 0.5
      })
    #expect(peak["speaker"]?.string == "ann")
    let events = try shell(
      ["hotword run --events json --only-voices --input \(recording)"], data: data
    ).objects.filter { $0["event"]?.string == "wake" }
    #expect(events.map { $0["speaker"]?.string } == ["ann", "ann"])
    #expect(events.map { $0["speakerScore"]?.number } == detected.map { rounded($0["speakerScore"]) })
  }

  /// Neither is part of the word, nor an order.
  @Test func noiseAndDigitalSilenceAfterTheWordAreNotLearned() throws {
    let data = Program.temporaryFolder()
    var random = RandomSource(seed: 4)
    let word = Recordings.order.prefix(AudioFormat.samples(1.25))
    let clips = try [1.1, 0.9, 1.2].map { seconds in
      let noisy = (word + [Int16](repeating: 0, count: AudioFormat.samples(seconds))).map {
        $0 + Int16(random.uniform(-800...800))
      }
      return try Recordings.wave(noisy + [Int16](repeating: 0, count: AudioFormat.samples(0.75)))
    }
    let enrolled = try enroll(clips, data: data)
    #expect(try #require(enrolled.objects.first)["orders"] == 0, "\(enrolled)")
    func words(_ model: String) throws -> [JSON] {
      try shell(["hotword detect --model \(model) \(Program.recording)"], data: data).objects
    }
    let general = try words("computer")
    let personal = try words("ann-computer")
    #expect(personal.map { $0["speaker"]?.string } == ["ann", "ann"])
    #expect(general.count == 2)
    for (one, other) in zip(personal, general) {
      for time in ["start", "end"] {
        let difference = try #require(one[time]?.number) - #require(other[time]?.number)
        #expect(abs(difference) < 0.25, "\(one) and \(other)")
      }
    }
  }

  @Test(.enabled(if: Flite.isThere, "needs flite"))
  func clipsOfSeveralPeopleAreWarnedAbout() throws {
    let data = Program.temporaryFolder()
    let said = try ["slt", "rms", "kal16"].map { try Flite.say("computer,", voice: $0) }
    let mixed = try shell(
      ["hotword enroll all --phrase computer \(said.joined(separator: " "))"], data: data)
    #expect(mixed.code == 0 && mixed.errors.contains("do not sound like one person"), "\(mixed)")
    #expect(try !enroll(Self.clips(), data: data).errors.contains("one person"))
  }

  /// Clips in which a voice of flite says the hotword and goes on with an order.
  static func spokenClips(_ voice: String) throws -> [String] {
    try ["turn on the kitchen light", "what is the weather like today", "set a timer for five minutes"].map {
      try Flite.say("computer, \($0).", voice: voice)
    }
  }

  /// The hotword by one voice of flite, an order by another, and quiet around them.
  static func spoken(hotword: String, order: String) throws -> [Int16] {
    var random = RandomSource(seed: 5)
    func quiet(_ seconds: Double) -> [Int16] {
      (0..<AudioFormat.samples(seconds)).map { _ in Int16(random.next() % 9) - 4 }
    }
    let word = try AudioFile.read(Flite.say("computer,", voice: hotword))
    let rest = try AudioFile.read(Flite.say("turn off the bedroom light please.", voice: order))
    return quiet(3) + word + rest + quiet(5)
  }

  @Test(.enabled(if: Flite.isThere, "needs flite"))
  func anOrderByAnotherVoiceThanTheHotwordIsRefused() throws {
    let data = Program.temporaryFolder()
    let clips = try Self.spokenClips("slt").joined(separator: " ")
    let enrolled = try shell(["hotword enroll ann --phrase computer \(clips)"], data: data)
    #expect(try enrolled.objects.first?["orders"]?.number == 3, "\(enrolled)")
    func events(_ words: String, order: String) throws -> [JSON] {
      let said = try Recordings.wave(Self.spoken(hotword: "slt", order: order))
      return try shell(["hotword run --events json \(words) --input \(said)"], data: data).objects
    }
    func intent(_ events: [JSON]) throws -> JSON {
      #expect(events.first { $0["event"] == "wake" }?["speaker"] == "ann")
      return try #require(events.first { $0["event"] == "intent" })
    }
    let own = try intent(events("--only-voices", order: "slt"))
    #expect(own["intent"]?["name"] != .null)
    #expect(try #require(own["speakerScore"]?.number) >= 0.5)
    let refused = try events("--only-voices", order: "rms")
    #expect(try intent(refused)["intent"] == .null)
    #expect(try #require(intent(refused)["speakerScore"]?.number) < 0.5)
    #expect(refused.contains { $0["event"] == "error" && $0["code"]?.number == 77 })
    #expect(refused.contains { $0["event"] == "idle" && $0["reason"] == "refused" })
    let anyone = try intent(events("", order: "rms"))
    #expect(anyone["intent"]?["name"] != .null)
  }

  private func rounded(_ score: JSON?) -> Double? { JSON.rounded(score?.number ?? 0).number }

  @Test func withoutVoicesNoSpeakerIsReported() throws {
    let data = Program.temporaryFolder()
    let hits = try shell(["hotword detect --model computer \(Program.recording)"], data: data).objects
    #expect(hits.count == 2)
    #expect(hits.allSatisfy { $0["speaker"] == nil && $0["speakerScore"] == nil })
    let refused = try shell(
      ["hotword detect --only-voices --model computer \(Program.recording)"], data: data)
    #expect(refused.code == ExitCode.configuration.rawValue)
    #expect(refused.onlyError?.contains("hotword enroll NAME --phrase computer") == true)
  }

  @Test func badClipsAreReportedAndTooFewEnrollNoVoice() throws {
    let data = Program.temporaryFolder()
    let clips = try Self.clips()
    let silent = try Recordings.wave([Int16](repeating: 0, count: 24_000))
    let other = try Recordings.wave(
      Array(Recordings.order[AudioFormat.samples(1.6)..<AudioFormat.samples(3.2)]))
    let loud = try Recordings.wave(
      Recordings.order.prefix(AudioFormat.samples(1.5)).map { Int16(clamping: Int($0) * 60) })
    let given = [clips[0], silent, other, loud, clips[1]]
    let outcome = try enroll(given, data: data)
    #expect(outcome.code == ExitCode.badData.rawValue)
    #expect(outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 4, "\(outcome.errors)")
    #expect(lines.contains { $0.contains(silent) && $0.contains("silent") })
    #expect(lines.contains { $0.contains(other) && $0.contains("was not detected") })
    #expect(lines.contains { $0.contains(loud) })
    #expect(lines.last?.contains("2 usable clips") == true)
    #expect(!Files.exists(data + "/hotword/voices/ann.voice"))
  }

  @Test func voicesAreListedAndRemoved() throws {
    let data = Program.temporaryFolder()
    _ = try enroll(Self.clips(), data: data)
    let listed = try shell(["hotword enroll --list"], data: data)
    #expect(
      listed.lines == ["ann-computer", "computer"].map { #"{"name":"ann","phrase":"\#($0)","clips":3}"# })
    for (line, message) in [
      ("hotword enroll ann --remove ann-1.wav", "unexpected"), ("hotword enroll --list ann", "unexpected"),
      ("hotword enroll --list --remove", "--remove"),
      ("hotword enroll \(Program.recording) --phrase computer", "not a name"),
      (
        "cd \(Program.root)/Examples && hotword enroll turn-on-the-kitchen-light.wav --phrase computer",
        "is a file"
      ),
    ] {
      let outcome = try shell([line], data: data)
      #expect(outcome.code == ExitCode.usage.rawValue, "\(line)")
      #expect(outcome.errors.contains(message), "\(line): \(outcome.errors)")
    }
    let other = try shell(["hotword enroll ann --remove --phrase alexa"], data: data)
    #expect(other.code == ExitCode.noInput.rawValue && other.errors.contains("no clips of 'alexa'"))
    #expect(try shell(["hotword enroll ann --remove"], data: data).code == 0)
    #expect(try Files.names(in: "\(data)/hotword/models").isEmpty)
    #expect(try shell(["hotword enroll --list"], data: data).output.isEmpty)
    let again = try shell(["hotword enroll ann --remove"], data: data)
    #expect(again.code == ExitCode.noInput.rawValue)
    #expect(again.onlyError?.contains("'ann'") == true)
  }

  @Test func aDamagedVoiceIsEnrolledAgainOrRemoved() throws {
    let data = Program.temporaryFolder()
    _ = try enroll(Self.clips(), data: data)
    let path = "\(data)/hotword/voices/ann.voice"
    let good = try Files.read(path)
    try Files.write(Array("damaged".utf8), to: path)
    let listed = try shell(["hotword enroll --list"], data: data)
    #expect(listed.code == 0 && listed.output.isEmpty && listed.errors.contains("enroll it again"))
    #expect(try enroll(Self.clips(), data: data).code == 0)
    #expect(try Files.read(path).count == good.count)
    try Files.write(Array("damaged".utf8), to: path)
    #expect(try shell(["hotword enroll ann --remove"], data: data).code == 0)
    #expect(!Files.exists(path))
    #expect(try Files.names(in: "\(data)/hotword/models").isEmpty)
  }

  @Test func aGeneralModelWithTheNameOfAPersonalOneStays() throws {
    let data = Program.temporaryFolder()
    let models = "\(data)/hotword/models"
    try Files.createFolder(models)
    let general = try Files.read("\(Program.root)/Models/computer.safetensors")
    try Files.write(general, to: "\(models)/ann-computer.safetensors")
    let enrolled = try enroll(Self.clips(), data: data)
    #expect(enrolled.code == 0 && enrolled.errors.contains("is another model"), "\(enrolled.errors)")
    #expect(try enrolled.objects.first?["model"] == .null)
    #expect(try shell(["hotword enroll ann --remove"], data: data).code == 0)
    #expect(try Files.read("\(models)/ann-computer.safetensors") == general)
  }

  @Test func aPersonalModelOfEarlierClipsIsWarnedAbout() throws {
    let data = Program.temporaryFolder()
    #expect(try !enroll(Self.clips(), data: data).errors.contains("earlier clips"))
    let shown = try shell(["hotword models show ann-computer --json"], data: data)
    let settings = try #require(try shown.objects.first?["sensitivities"]?.array, "\(shown)")
    // The only recordings of this voice trained the model.
    #expect(settings.count == 11 && settings.allSatisfy { $0["missRate"] == .null })
    let stream = try Recordings.wave(Recordings.repeated(3))
    let again = try shell(["hotword enroll ann --phrase computer --input \(stream)"], data: data)
    #expect(again.code == 0 && again.errors.contains("the model ann-computer is still of the earlier clips"))
    let removed = try shell(["hotword enroll --remove ann --phrase 'ann-computer'"], data: data)
    #expect(removed.code == 0, "\(removed.errors)")
    #expect(try Files.names(in: "\(data)/hotword/models").isEmpty)
    #expect(try shell(["hotword enroll --list"], data: data).objects.map { $0["phrase"] } == ["computer"])
  }

  @Test func aPersonalModelThatIsGoneOrDamagedIsNotTakenForOne() throws {
    let data = Program.temporaryFolder()
    let model = "\(data)/hotword/models/ann-computer.safetensors"
    #expect(try enroll(Self.clips(), data: data).code == 0)
    #expect(unlink(model) == 0)
    let stream = try Recordings.wave(Recordings.repeated(3))
    let again = try shell(["hotword enroll ann --phrase computer --input \(stream)"], data: data)
    #expect(again.code == 0 && !again.errors.contains("earlier clips"), "\(again.errors)")
    #expect(try shell(["hotword enroll --list"], data: data).objects.map { $0["phrase"] } == ["computer"])
    #expect(try enroll(Self.clips(), data: data).code == 0)
    try Files.write(Array("damaged".utf8), to: model)
    let removed = try shell(["hotword enroll ann --remove"], data: data)
    #expect(removed.code == 0 && removed.errors.contains("cannot be read, and is kept"), "\(removed.errors)")
    #expect(Files.exists(model))
  }

  @Test func aVoiceIsEnrolledFromTheMicrophone() throws {
    let data = Program.temporaryFolder()
    let clip = try Self.clips()[0]
    let stream = try Recordings.wave(
      (0..<3).flatMap { _ in
        ((try? AudioFile.read(clip)) ?? []) + [Int16](repeating: 3, count: AudioFormat.samples(0.1))
      } + [Int16](repeating: 3, count: 16_000))
    let outcome = try shell(["hotword enroll ann --phrase computer --input \(stream)"], data: data)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try outcome.objects.first?["clips"]?.number == 3)
    #expect(try outcome.objects.first?["orders"]?.number == 0)
  }

  @Test func ordersAfterTheHotwordAreEnrolledFromTheMicrophone() throws {
    let data = Program.temporaryFolder()
    let stream = try Recordings.wave(Recordings.repeated(3))
    let outcome = try shell(["hotword enroll ann --phrase computer --input \(stream)"], data: data)
    let line = try #require(try outcome.objects.first, "\(outcome.errors)")
    #expect(line["clips"]?.number == 3 && line["orders"]?.number == 3)
    let said = outcome.errors.split(separator: "\n").filter { $0.contains("and an order") }
    #expect(said.count == 3)
  }
}
