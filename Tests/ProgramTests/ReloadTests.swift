import Platform
import Testing

/// SIGHUP while the service listens.
@Suite(.serialized) struct ReloadTests {
  /// Runs the service on two orders, played in real time, and does `steps` to it meanwhile: lines of shell that find
  /// its process in `$pid` and its configuration in `$config`.
  private func run(
    _ configuration: String, input: String? = nil, steps: String, environment: String = ""
  ) throws -> Story {
    let config = try Program.file("config.yaml", Array(configuration.utf8))
    let line = """
      config=\(config)
      \(environment) hotword run --config $config --input \(try input ?? Recordings.twoOrders()) --pace --events json \
      --recognizer 'command:echo lights on' &
      pid=$!
      (\(steps)) &
      wait $pid
      """
    let story = try Story(try Program.shell(line))
    #expect(story.outcome.code == 0, "\(story.outcome.errors)")
    #expect(story.isPaired)
    return story
  }

  private static let orders = (0..<2).flatMap { _ in
    ["wake", "listening", "transcript", "intent", "action", "reply", "idle"]
  }

  @Test func hitsAreTheSameAsWithoutIt() throws {
    // Before the hotword, within it, and while its order is heard.
    let moments = "sleep 0.5; kill -HUP $pid; sleep 0.5; kill -HUP $pid; sleep 1; kill -HUP $pid"
    let quiet = try run("silence: 0.8\n", steps: ":")
    let disturbed = try run("silence: 0.8\n", steps: moments)
    #expect(disturbed.names == ["ready"] + Self.orders)
    #expect(disturbed.all("wake") == quiet.all("wake"))
    #expect(disturbed.all("reply").map { $0["text"] } == quiet.all("reply").map { $0["text"] })
    #expect(disturbed.outcome.errors.contains("is read anew; listening for computer"))
  }

  @Test func aNewModelIsHeardFromThenOn() throws {
    let steps = "sleep 3; echo 'models: [alexa, computer]' >$config; kill -HUP $pid"
    let story = try run("models: [alexa]\n", steps: steps)
    #expect(story.names == ["ready"] + Self.orders.prefix(7))
    #expect(story.all("wake").first?["keyword"] == "computer")
    #expect((story.all("wake").first?["start"]?.number ?? 0) > 6, "it is the second one")
    let (start, end) = (story.all("wake").first?["start"]?.number, story.all("wake").first?["end"]?.number)
    #expect((end ?? 0) - (start ?? 0) < 1.2)
  }

  @Test func aNewModelHearsAWordThatIsBeingSaid() throws {
    let steps = "sleep 0.7; echo 'models: [computer]' >$config; kill -HUP $pid"
    let story = try run("models: [alexa]\n", steps: steps)
    #expect(story.names == ["ready"] + Self.orders)
    #expect(abs((story.all("wake").first?["start"]?.number ?? 0) - 0.62) < 0.1)
  }

  @Test func aBrokenFileIsToldAndTheOldOneStays() throws {
    let steps = "sleep 2; printf 'modles: [alexa]\\nvolume: loud\\n' >$config; kill -HUP $pid"
    let story = try run("silence: 0.8\n", steps: steps)
    #expect(story.names == ["ready"] + Self.orders)
    for part in ["config.yaml:1:1: unknown key 'modles'", "config.yaml:2:9: volume", "old one"] {
      #expect(story.outcome.errors.contains(part), "\(story.outcome.errors)")
    }
  }

  @Test func aModelThatIsGoneIsToldAndTheOldOneStays() throws {
    let steps = "sleep 2; echo 'models: [computer, nobody]' >$config; kill -HUP $pid"
    let story = try run("models: [computer]\n", steps: steps)
    #expect(story.names == ["ready"] + Self.orders)
    #expect(story.outcome.errors.contains("no model named \"nobody\""))
  }

  @Test func aConversationEndsWithTheOldOne() throws {
    let steps = """
      sleep 2; echo 'handlers: ["command:echo the new one"]' >$config; kill -HUP $pid
      """
    let story = try run("handlers: [\"command:sleep 1; echo the old one\"]\n", steps: steps)
    #expect(story.all("reply").compactMap { $0["text"]?.string } == ["the old one", "the new one"])
  }

  @Test func aTimerRingsAllTheSame() throws {
    let act = #"""
      grep -q '"time":[0-3]' || exit 0; echo '{"reply":"Set.","actions":[{"type":"timer_set","time":3}]}'
      """#
    let script = try Program.file("act", Array(act.utf8))
    let steps = "sleep 5; kill -HUP $pid"
    let story = try run("handlers: ['command:sh \(script)']\n", steps: steps)
    #expect(story.all("action").contains { $0["action"]?["type"] == "timer_ring" })
    #expect(story.outcome.errors.contains("is read anew"))
  }

  @Test func whatNeedsARestartIsTold() throws {
    let steps = "sleep 1; echo 'metrics: 127.0.0.1:1' >$config; kill -HUP $pid"
    let story = try run("volume: 10\n", steps: steps)
    #expect(story.outcome.errors.contains("metrics: changes only with a restart"))
    #expect(story.names == ["ready"] + Self.orders)
  }

  @Test func reloadsLeaveNothingBehind() throws {
    let folder = Program.temporaryFolder()
    let steps = """
      sleep 1; kill -HUP $pid; sleep 0.5; ls /proc/$pid/task | wc -l >\(folder)/before; \
      for i in 1 2 3 4 5 6 7 8 9 10; do kill -HUP $pid; sleep 0.3; done; \
      sleep 0.5; ls /proc/$pid/task | wc -l >\(folder)/after; kill -INT $pid
      """
    let silence = try Recordings.wave([Int16](repeating: 0, count: 16_000 * 20))
    let story = try run("keep: \(folder)/clips\n", input: silence, steps: steps)
    #expect(try Files.read("\(folder)/before") == Files.read("\(folder)/after"))
    let told = story.outcome.errors.split(separator: "\n").filter { $0.contains("is read anew") }
    #expect(told.count >= 3)
  }
}
