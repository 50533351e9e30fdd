import Glibc
import PCM
import Platform
import TestServers
import Testing

/// What leaves the process and what is stored, as the system calls show it: the tables of `Documentation/privacy.md`.
@Suite(.limited, .needsProgram, .serialized) struct PrivacyTests {
  private static let tracing = "strace is missing, or tracing is not allowed here"

  /// A command without its hotword, then a command: what is said before the hotword must not be sent.
  private static let speech = Array(Recordings.order.dropFirst(AudioFormat.samples(1.45))) + Recordings.order

  /// Runs `hotword run` with its system calls traced.
  private func run(_ words: [String]) throws -> (calls: SystemCalls, story: Story) {
    let trace = "\(Program.temporaryFolder())/trace"
    let service = try RunningProgram(
      ["run", "--events", "json"] + words, environment: "XDG_DATA_HOME=\(Program.temporaryFolder())",
      tracer: SystemCalls.tracer(trace))
    let story = try Story(try service.end())
    #expect(story.outcome.code == 0 && story.isPaired, "\(story.outcome.errors)")
    return (try SystemCalls(trace), story)
  }

  @Test(.enabled(if: SystemCalls.canBeTraced, .init(rawValue: tracing)))
  func withoutOptionsACommandIsCarriedOutWithoutNetworkFilesAndPrograms() throws {
    let (calls, story) = try run(["--input", try Recordings.wave(Self.speech)])
    #expect(story.all("reply").count == 1 && story.all("transcript").count == 1)
    #expect(calls.ofSockets.isEmpty, "\(calls.ofSockets)")
    #expect(calls.ofChanges.isEmpty, "\(calls.ofChanges)")
    #expect(calls.named("execve", "execveat").count == 1, "only the program itself")
    #expect(calls.named("write").contains { $0.arguments.contains("\\\"wake\\\"") }, "the trace is complete")
  }

  @Test(
    .enabled(if: SystemCalls.canBeTraced, .init(rawValue: tracing)),
    .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
  func onlyTheRecognizersServerIsConnectedAndOnlyAfterTheHotword() throws {
    let server = try PythonServer("wyoming_asr.py", ["streams", "tcp://127.0.0.1:0"], modules: ["wyoming"])
    let input = try Recordings.wave(Self.speech)
    let (calls, story) = try run([
      "--input", input, "--pace", "--recognizer", "wyoming:tcp://127.0.0.1:\(server.port)",
    ])
    #expect(story.all("transcript").map { $0["text"] } == ["turn on the light"])
    let connections = calls.named("connect")
    #expect(connections.count == 1)
    let peer = "sin_port=htons(\(server.port)), sin_addr=inet_addr(\"127.0.0.1\")"
    #expect(connections.allSatisfy { $0.arguments.contains(peer) }, "\(connections)")
    let sent = calls.ofSockets.filter { $0.name.hasPrefix("send") || $0.name.contains("write") }
    #expect(!sent.isEmpty)
    #expect(sent.allSatisfy { $0.target.hasSuffix("->127.0.0.1:\(server.port)]") }, "\(sent)")
    #expect(calls.named("bind", "listen").isEmpty)
    #expect(calls.ofChanges.isEmpty, "\(calls.ofChanges)")
    #expect(calls.named("execve", "execveat").count == 1)

    // The stream begins once its file is open, and is read in real time.
    let wake = try #require(story.all("wake").first)
    let end = try #require(wake["end"]?.number)
    let opened = try #require(calls.all.first { $0.arguments.contains(input) && $0.name.hasPrefix("open") })
    let connected = try #require(connections.first)
    #expect(connected.time - opened.time >= end)
    // Only the audio from the end of the hotword to the end of speech.
    let heard = try #require(story.all("transcript").first?["time"]?.number)
    let received = server.requests.compactMap { $0["bytes"]?.number }
    let bytes = try #require(received.first)
    #expect(bytes > 16_000 && Int(bytes) <= 2 * AudioFormat.samples(heard - end), "\(bytes) \(wake)")
  }

  @Test(.enabled(if: SystemCalls.canBeTraced, .init(rawValue: tracing)))
  func onlyTheFolderOfKeepIsWritten() throws {
    let folder = "\(Program.temporaryFolder())/clips"
    let (calls, story) = try run([
      "--input", try Recordings.wave(Self.speech), "--recognizer", "builtin", "--keep", folder,
    ])
    #expect(story.all("wake").count == 1)
    #expect(!calls.ofChanges.isEmpty)
    // A file that is open is named by its descriptor, without quotation marks.
    let others = calls.ofChanges.filter {
      !$0.target.hasPrefix(folder) && !$0.arguments.contains("\"\(folder)")
    }
    #expect(others.isEmpty, "\(others)")
    #expect(calls.ofSockets.isEmpty, "\(calls.ofSockets)")
  }

  @Test(
    .enabled(if: SystemCalls.canBeTraced, .init(rawValue: tracing)),
    .enabled(if: WakeServer.hasClient, "needs python3 with wyoming"))
  func whatAClientSendsReachesNoShell() throws {
    let (folder, trace) = (Program.temporaryFolder(), "\(Program.temporaryFolder())/trace")
    let server = try WakeServer(
      ["--model", "computer", "--handler", "command:cat >>\(folder)/events; echo done"],
      tracer: SystemCalls.tracer(trace))
    let hostile = "turn on the $(touch \(folder)/one) `touch \(folder)/two` light; touch \(folder)/three"
    func sentence(_ text: String) -> JSON {
      ["send", "transcript", ["text": .string(text), "context": ["conversation_id": .string(text)]]]
    }
    let events = try server.events([
      sentence(hostile), ["until", "not-recognized"],
      [
        "send", "detect", ["names": [.string("; touch \(folder)/four"), .string("$(touch \(folder)/five)")]],
      ],
      ["send", "transcribe", ["language": .string("en; touch \(folder)/six")]],
      sentence("turn on the kitchen light"), ["until", "handled"],
    ])
    #expect(events.last?["text"] == "done")
    // The process is the tracer's, which ends with the server.
    let children = try Files.read("/proc/\(server.process)/task/\(server.process)/children")
    let traced = try #require(pid_t(String(decoding: children.prefix { $0 != 0x20 }, as: UTF8.self)))
    #expect(try server.program.end(by: SIGTERM, to: traced).code == 0)
    #expect(try Files.names(in: folder) == ["events"])
    // The handler's shell and its two programs.
    let programs = try SystemCalls(trace).named("execve", "execveat")
    #expect(programs.contains { $0.arguments.contains("\"-c\"") })
    #expect(!programs.contains { $0.arguments.contains("touch") }, "\(programs)")
  }

  /// The modes of all files and folders below a folder, as `find` prints them: `d700 NAME`.
  private func modes(_ folder: String) throws -> [String] {
    try Program.shell("cd \(folder) && find . -mindepth 1 -printf '%y%m %P\\n' | sort").lines
  }

  @Test func whatIsStoredIsForItsOwnerAloneWhateverTheMaskIs() throws {
    let data = Program.temporaryFolder()
    let order = try Recordings.wave(Recordings.order)
    let outcome = try Program.shell(
      """
      umask 000; export XDG_DATA_HOME=\(data)/data
      hotword enroll ann --phrase computer \(try EnrollTests.clips().joined(separator: " ")) >/dev/null
      hotword run --input \(order) --recognizer 'command:echo lights on' --keep \(data)/new/clips >/dev/null
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let satellite = try WakeServer(
      ["--esphome", "--name", "Hall", "--input", "-", "--player", "none", "--key", "\(data)/keys/hall.key"],
      command: "satellite", environment: "XDG_DATA_HOME=\(data)/data", before: "umask 000", isFed: true)
    #expect(satellite.terminate() == 0)
    let found = try modes(data)
    for part in ["/voices/", "ann-computer.safetensors", "_wake_", "hall.key"] {
      #expect(found.contains { $0.contains(part) }, "\(part): \(found)")
    }
    let open = found.filter { !$0.hasPrefix("d700 ") && !$0.hasPrefix("f600 ") }
    #expect(open.isEmpty, "\(open)")
  }
}
