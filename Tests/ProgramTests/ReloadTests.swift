import Glibc
import PCM
import Platform
import TestServers
import Testing

/// SIGHUP while the service listens.
@Suite(.limited(minutes: 12), .needsProgram, .serialized) struct ReloadTests {
  /// The service, which listens to what it is given and whose configuration changes meanwhile.
  private final class Subject {
    let service: RunningProgram
    private let config: String
    private let audio: [Int16]
    private var given = 0

    init(_ configuration: String, audio: [Int16], hasMetrics: Bool = true) throws {
      config = try Program.file("config.yaml", Array(configuration.utf8))
      self.audio = audio
      let metrics = hasMetrics ? ["--metrics", "127.0.0.1:0"] : []
      let words = ["--input", "-", "--pace", "--events", "json", "--recognizer", "command:echo lights on"]
      service = try RunningProgram(["run", "--config", config] + metrics + words, isFed: true)
    }

    /// Gives it the audio up to `seconds`, and waits until it has searched it for hotwords.
    func listen(until seconds: Double) {
      let end = min(audio.count, AudioFormat.samples(seconds))
      service.write(audio[given..<end])
      given = end
      #expect(service.waits(untilHeard: seconds - 0.05), "\(service.errors)")
    }

    /// Asks it to read `configuration`, or the same again.
    func reload(_ configuration: String? = nil) throws {
      if let configuration { try Files.write(Array(configuration.utf8), to: config) }
      kill(service.process, SIGHUP)
    }

    /// Waits until it has gone on with a new configuration this many times.
    func waits(forReloads count: Double) -> Bool {
      Waiting.until { service.metric("hotword_reloads_total{result=\"success\"}") ?? 0 >= count }
    }

    func waits(forMessage part: String) -> Bool { Waiting.until { service.errors.contains(part) } }

    /// Gives it the rest of the audio; what it has reported in all.
    func end(by signal: Int32? = nil) throws -> Story {
      if signal == nil { service.write(audio[given...]) }
      let story = try Story(try service.end(by: signal))
      #expect(story.outcome.code == 0, "\(story.outcome.errors)")
      #expect(story.isPaired)
      return story
    }
  }

  /// The service on two commands.
  private func start(_ configuration: String, hasMetrics: Bool = true) throws -> Subject {
    try Subject(configuration, audio: Recordings.repeated(2), hasMetrics: hasMetrics)
  }

  private static let orders = (0..<2).flatMap { _ in
    ["wake", "listening", "transcript", "intent", "action", "reply", "idle"]
  }

  @Test func hitsAreTheSameAsWithoutIt() throws {
    let quiet = try start("silence: 0.8\n").end()
    let subject = try start("silence: 0.8\n")
    // Before the hotword, within it, and while its order is heard.
    subject.listen(until: 0.5)
    try subject.reload()
    #expect(subject.waits(forReloads: 1))
    subject.listen(until: 1)
    try subject.reload()
    #expect(subject.waits(forReloads: 2))
    subject.listen(until: 2)
    try subject.reload()
    let disturbed = try subject.end()
    #expect(disturbed.names == ["ready"] + Self.orders)
    #expect(disturbed.all("wake") == quiet.all("wake"))
    #expect(disturbed.all("reply").map { $0["text"] } == quiet.all("reply").map { $0["text"] })
    #expect(disturbed.outcome.errors.contains("is reloaded; listening for computer"))
  }

  @Test func aNewModelIsHeardFromThenOn() throws {
    let subject = try start("models: [alexa]\n")
    subject.listen(until: 4)
    try subject.reload("models: [alexa, computer]\n")
    #expect(subject.waits(forReloads: 1))
    let story = try subject.end()
    #expect(story.names == ["ready"] + Self.orders.prefix(7))
    #expect(story.all("wake").first?["keyword"] == "computer")
    #expect((story.all("wake").first?["start"]?.number ?? 0) > 6, "it is the second one")
    let (start, end) = (story.all("wake").first?["start"]?.number, story.all("wake").first?["end"]?.number)
    #expect((end ?? 0) - (start ?? 0) < 1.2)
  }

  @Test func aNewModelHearsAWordThatIsBeingSaid() throws {
    let subject = try start("models: [alexa]\n")
    subject.listen(until: 0.9)
    try subject.reload("models: [computer]\n")
    #expect(subject.waits(forReloads: 1))
    let story = try subject.end()
    #expect(story.names == ["ready"] + Self.orders)
    #expect(abs((story.all("wake").first?["start"]?.number ?? 0) - 0.62) < 0.1)
  }

  @Test func aBrokenFileIsToldAndTheOldOneStays() throws {
    let subject = try start("silence: 0.8\n")
    subject.listen(until: 2)
    try subject.reload("modles: [alexa]\nvolume: loud\n")
    #expect(subject.waits(forMessage: "old one"))
    let story = try subject.end()
    #expect(story.names == ["ready"] + Self.orders)
    for part in ["config.yaml:1:1: unknown key 'modles'", "config.yaml:2:9: volume", "old one"] {
      #expect(story.outcome.errors.contains(part), "\(story.outcome.errors)")
    }
  }

  @Test func aModelThatIsTruncatedStaysInUseUntilAReloadFindsAWholeOne() throws {
    let bytes = try Files.read("\(Program.root)/Models/computer.safetensors")
    let path = try Program.file("word.safetensors", bytes)
    let subject = try Subject("models: [\(path)]\n", audio: Recordings.repeated(3))
    subject.listen(until: 4)
    // In place, as a copy does that is interrupted.
    truncate(path, 1_000)
    try subject.reload()
    #expect(subject.waits(forMessage: "old one"))
    subject.listen(until: 11)
    try Files.write(bytes, to: path)
    try subject.reload()
    #expect(subject.waits(forReloads: 1))
    let story = try subject.end()
    #expect(story.names == ["ready"] + Self.orders + Self.orders.prefix(7))
    #expect(story.outcome.errors.contains("word.safetensors: "), "\(story.outcome.errors)")
  }

  @Test func everyFaultIsReportedAndTheOldConfigurationStays() throws {
    let subject = try start("models: [computer]\n")
    subject.listen(until: 2)
    try subject.reload(
      "models: [computer, nobody]\nhandlers: ['command:no-such-program']\nkeep: /proc/version/clips\n")
    #expect(subject.waits(forMessage: "old one"))
    let story = try subject.end()
    #expect(story.names == ["ready"] + Self.orders)
    for part in ["no model named \"nobody\"", "no program 'no-such-program'", "/proc/version/clips"] {
      let lines = story.outcome.errors.split(separator: "\n").filter { $0.contains(part) }
      #expect(lines.count == 1, "\(part): \(story.outcome.errors)")
    }
  }

  @Test func aConversationEndsWithTheOldOne() throws {
    let subject = try start("handlers: [\"command:sleep 1; echo the old one\"]\n")
    subject.listen(until: 2)
    try subject.reload("handlers: [\"command:echo the new one\"]\n")
    let story = try subject.end()
    #expect(story.all("reply").compactMap { $0["text"]?.string } == ["the old one", "the new one"])
  }

  @Test func aTimerRingsAllTheSame() throws {
    let act = #"""
      grep -q '"time":[0-3]' || exit 0; echo '{"reply":"Set.","actions":[{"type":"timer_set","time":3}]}'
      """#
    let script = try Program.file("act", Array(act.utf8))
    let subject = try start("handlers: ['command:sh \(script)']\n")
    subject.listen(until: 5)
    try subject.reload()
    #expect(subject.waits(forReloads: 1))
    let story = try subject.end()
    #expect(story.all("action").contains { $0["action"]?["type"] == "timer_ring" })
  }

  @Test func whatNeedsARestartIsTold() throws {
    let subject = try start("volume: 10\n", hasMetrics: false)
    #expect(subject.service.waits(for: "ready"))
    try subject.reload("metrics: 127.0.0.1:1\n")
    #expect(subject.waits(forMessage: "metrics: changes only after a restart"))
    #expect(try subject.end().names == ["ready"] + Self.orders)
  }

  @Test func reloadsLeaveNothingBehind() throws {
    let silence = [Int16](repeating: 0, count: AudioFormat.samples(600))
    let subject = try Subject("keep: \(Program.temporaryFolder())/clips\n", audio: silence)
    // The loop looks for a new configuration between frames; a wait for a second without any is one too.
    func threads(after reloads: Double) throws -> Int {
      try subject.reload()
      #expect(subject.waits(forReloads: reloads))
      return try Files.names(in: "/proc/\(subject.service.process)/task").count
    }
    subject.listen(until: 1)
    let before = try threads(after: 1)
    for number in 2...10 { _ = try threads(after: Double(number)) }
    // The threads of the configuration before end on their own.
    var after = try threads(after: 11)
    #expect(
      try Waiting.until {
        after = try Files.names(in: "/proc/\(subject.service.process)/task").count
        return after <= before
      }, "\(before) \(after)")
    _ = try subject.end(by: SIGINT)
  }

  /// Each time after an order, for which the recognizer loads its model.
  @Test func fiftyReloadsNeedNoMoreMemoryThanTen() throws {
    let service = try RunningProgram(
      [
        "run", "--input", "-", "--events", "json", "--recognizer", "pocketsphinx", "--metrics", "127.0.0.1:0",
      ],
      isFed: true)
    var kilobytes: [Int] = []
    for number in 1...50 {
      service.write(Recordings.order + [Int16](repeating: 0, count: AudioFormat.samples(2)))
      #expect(Waiting.until { service.events.filter { $0["event"] == "idle" }.count == number })
      kill(service.process, SIGHUP)
      #expect(
        Waiting.until {
          service.metric("hotword_reloads_total{result=\"success\"}") ?? 0 == Double(number)
        }, "\(service.errors)")
      kilobytes.append(service.footprint.kilobytes)
    }
    let (early, late) = (kilobytes[..<10].max()!, kilobytes[10...].max()!)
    #expect(late < early + 10_000, "\(kilobytes)")
    _ = try service.end(by: SIGINT)
  }
}
