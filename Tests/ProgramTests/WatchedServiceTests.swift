import Glibc
import PCM
import Platform
import TestServers
import Testing

/// The service under the eyes of a service manager, the journal and Prometheus.
@Suite(.limited, .needsProgram, .serialized) struct WatchedServiceTests {
  /// The answer of the service to a request for a page, with its headers.
  private func get(_ path: String, from service: RunningProgram) throws -> String {
    let port = try #require(service.statusPort)
    let line = """
      exec 3<>/dev/tcp/127.0.0.1/\(port); printf 'GET %s HTTP/1.0\\r\\n\\r\\n' \(path) >&3; cat <&3
      """
    return try Program.shell("bash \(Program.file("script", Array(line.utf8)))").output
  }

  /// Waits until the health of the service has this status.
  private func waits(forHealth status: String, of service: RunningProgram) throws -> Bool {
    try Waiting.until { try get("/health", from: service).hasPrefix("HTTP/1.1 \(status)") }
  }

  @Test func theServiceManagerHearsHowItGoes() throws {
    let socket = try NotifyListener()
    let line = """
      export NOTIFY_SOCKET='\(socket.name)' WATCHDOG_USEC=1000000
      hotword run --input \(try Recordings.wave(Recordings.order)) --pace --events json \
      --recognizer 'command:echo lights on' --handler 'command:echo "$NOTIFY_SOCKET" >$HOME/seen; echo done' &
      pid=$!
      sleep 1; kill -HUP $pid; wait $pid; cat $HOME/seen
      """
    let outcome = try Program.shell(line)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let datagrams = socket.datagrams
    let told = datagrams.map(\.text)
    #expect(told.first == "READY=1\nSTATUS=listening for computer")
    #expect(told.last { $0 != "WATCHDOG=1" }?.hasPrefix("STOPPING=1") == true)
    let reload = told.firstIndex { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") }
    #expect(told.lastIndex { $0.hasPrefix("READY=1\n") } ?? 0 > reload ?? .max)
    // A sign of life each half second. A busy machine delays some, so the median of the intervals counts.
    let lives = datagrams.filter { $0.text == "WATCHDOG=1" }.map(\.time)
    try #require(lives.count >= 3, "\(told)")
    let intervals = zip(lives, lives.dropFirst()).map { $1 - $0 }.sorted()
    #expect((0.4...0.9).contains(intervals[(intervals.count - 1) / 2]), "\(intervals)")
    #expect(outcome.output.hasSuffix("}\n\n"), "a handler cannot speak for the service")
  }

  @Test func anOutputThatNothingReadsDoesNotStopTheSignsOfLife() throws {
    let socket = try NotifyListener()
    // The reader takes nothing: the event of the wake does not fit into the pipe.
    let line = """
      { head -c 65450 /dev/zero; NOTIFY_SOCKET='\(socket.name)' WATCHDOG_USEC=1000000 \
      exec hotword run --input \(try Recordings.twoOrders()) --pace --events json; } | sleep 10
      """
    let outcome = try Program.shell(line)
    let told = socket.datagrams
    let start = try #require(told.first).time
    let lives = told.filter { $0.text == "WATCHDOG=1" }
    #expect(lives.count >= 5)
    #expect(try #require(lives.last).time - start > 7)
    #expect(!told.contains { $0.text.contains("stuck") })
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test func prometheusReadsWhatHappened() throws {
    let service = try RunningProgram(
      [
        "run", "--input", "-", "--pace", "--metrics", "127.0.0.1:0", "--recognizer", "command:echo lights on",
      ], isFed: true)
    service.write(Recordings.repeated(2).prefix(AudioFormat.samples(5)))
    #expect(service.waits(untilHeard: 5), "\(service.errors)")
    #expect(Waiting.until { service.metric("hotword_conversations_total{ending=\"done\"}") == 1 })
    let output = try ["/metrics", "/health", "/other"].map { try get($0, from: service) }.joined()
    #expect(try service.end().code == 0)
    #expect(output.contains("Content-Type: text/plain; version=0.0.4"), "\(service.errors)")
    for part in [
      "hotword_wakes_total{keyword=\"computer\"} 1\n", "hotword_transcripts_total 1\n",
      "hotword_conversations_total{ending=\"done\"} 1\n", "hotword_recognition_seconds_count 1\n",
      "hotword_handling_seconds_count 1\n", "hotword_device_up 1\n",
      "\"status\":\"ok\"", "HTTP/1.1 404",
    ] {
      #expect(output.contains(part), "\(part)")
    }
    let heard = output.split(separator: "\n").first { $0.hasPrefix("hotword_audio_seconds_total ") }
    let seconds = heard.flatMap { Double($0.split(separator: " ")[1]) } ?? 0
    #expect(seconds == 5)
  }

  @Test(.enabled(if: ScriptedDevice.isBuilt, "no C compiler or alsa headers to build the scripted device"))
  func aLostMicrophoneFailsTheHealthAndNotTheWatchdog() throws {
    let socket = try NotifyListener()
    let folder = try ScriptedDevice.folder()
    let service = try RunningProgram(
      ["run", "--input", "alsa:scripted", "--metrics", "127.0.0.1:0"],
      environment:
        "ALSA_CONFIG_PATH=\(folder)/asound.conf NOTIFY_SOCKET='\(socket.name)' WATCHDOG_USEC=1000000")
    #expect(service.waits(untilHeard: 1), "\(service.errors)")
    #expect(try get("/health", from: service).hasPrefix("HTTP/1.1 200"))
    try Files.write([], to: "\(folder)/script.gone")
    #expect(try waits(forHealth: "503", of: service))
    let pages = try ["/health", "/metrics"].map { try get($0, from: service) }.joined()
    unlink("\(folder)/script.gone")
    #expect(try waits(forHealth: "200", of: service))
    #expect(try service.end(by: SIGINT).code == 0)
    #expect(pages.contains("the capture device has been lost"))
    #expect(pages.contains("hotword_device_losses_total 1\n"))
    #expect(pages.contains("hotword_device_up 0\n"))
    let told = socket.datagrams
    let lost = "STATUS=the capture device has been lost; the service tries to reopen it"
    #expect(told.contains { $0.text == lost }, "\(told.map(\.text))")
    let lives = told.filter { $0.text == "WATCHDOG=1" }.map(\.time)
    let longest = zip(lives, lives.dropFirst()).map { $1 - $0 }.max() ?? 99
    #expect(longest < 1, "a sign of life came in time, always")
  }

  @Test func theJournalGetsPriorities() throws {
    let line = """
      JOURNAL_STREAM=$(stat -c %d:%i $HOME/errors) hotword run --config /nonexistent; \
      JOURNAL_STREAM=1:1 hotword run --config /nonexistent; hotword run --config /nonexistent --log json
      """
    let outcome = try Program.shell(line)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0] == "<3>/nonexistent: cannot be read: no such file or directory")
    #expect(lines[1] == "hotword: /nonexistent: cannot be read: no such file or directory")
    #expect(try JSON(parsing: Array(lines[2].utf8), what: "it")["level"] == "error")
  }

  @Test func faultsInTheEventsHaveAPriorityInTheJournal() throws {
    let outcome = try Program.shell(
      """
      touch $HOME/out; JOURNAL_STREAM=$(stat -c %d:%i $HOME/out) hotword run --events json \
      --input \(try Recordings.wave(Recordings.order)) --recognizer 'command:echo lights on' \
      --handler 'command:exit 3' >>$HOME/out; cat $HOME/out
      """)
    let faults = outcome.lines.filter { $0.hasPrefix("<") }
    #expect(
      faults.count == 1 && faults.first?.hasPrefix("<3>{\"event\":\"error\"") == true, "\(outcome.output)")
    #expect(outcome.lines.count { $0.hasPrefix("{") } >= 6)
  }
}
