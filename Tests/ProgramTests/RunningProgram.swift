import Glibc
import Networking
import PCM
import Platform
import TestServers

/// `hotword WORDS…` beside the test, until it ends or this value does.
final class RunningProgram: @unchecked Sendable {
  let process: pid_t
  private let folder: String
  private var input: Int32 = -1
  private var code: Int32?

  /// Seconds within which the program must end after a test has stopped it.
  private static let limit = 60.0

  struct DidNotEnd: Error {
    let output: String
    let errors: String
  }

  /// - Parameters:
  ///   - words: its arguments.
  ///   - environment: `NAME=VALUE …`, for it alone.
  ///   - before: a command of the shell that starts it, such as `ulimit -n 64`.
  ///   - tracer: words before the program's path: another program that runs it.
  ///   - isFed: whether its standard input is what ``write(_:)`` sends; otherwise it is empty.
  init(
    _ words: [String], environment: String = "", before: String = "true", tracer: [String] = [],
    isFed: Bool = false
  ) throws {
    folder = Program.temporaryFolder()
    let ends = isFed ? Loopback.pair() : nil
    defer { if let ends { close(ends.0) } }
    let line = (tracer + [Program.path] + words).map(Program.quoted).joined(separator: " ")
    let shell = [
      "/bin/sh", "-c",
      "\(Program.setup); \(before); HOME=\(folder) \(environment) exec \(line)",
    ]
    let started = ChildProcess.start(shell) { [folder] actions in
      if let ends {
        posix_spawn_file_actions_adddup2(&actions, ends.0, 0)
      } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      }
      for (number, name) in [(Int32(1), "output"), (2, "errors")] {
        posix_spawn_file_actions_addopen(
          &actions, number, "\(folder)/\(name)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    guard let process = started else { throw DidNotEnd(output: "", errors: "did not start") }
    self.process = process
    input = ends?.1 ?? -1
  }

  deinit {
    closeInput()
    guard code == nil else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  var output: String { text("output") }
  var errors: String { text("errors") }

  /// The complete lines of its standard output so far, as JSON.
  var events: [JSON] {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.compactMap { try? JSON(parsing: Array($0.utf8), what: "an event") }
  }

  /// Waits until the program has printed an event of this name, or the device's change to this state; false where it does not come.
  func waits(for name: String) -> Bool {
    Waiting.until { events.contains { $0["state"]?.string == name || $0["event"]?.string == name } }
  }

  /// Sends raw samples, and waits until the program has taken all but what a socket holds.
  func write(_ samples: some Sequence<Int16>) {
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        send(input, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 { return }
      start += count
    }
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// The port of the status pages, for a service with `--metrics 127.0.0.1:0`; nil before there are any.
  var statusPort: Int? {
    guard let line = errors.split(separator: "\n").first(where: { $0.contains("/metrics") }),
      let start = line.firstRange(of: "http://127.0.0.1:")
    else { return nil }
    return Int(line[start.upperBound...].prefix { $0.isNumber })
  }

  /// The value of a metric, called as in the text that Prometheus reads, nil before there is one.
  func metric(_ name: String) -> Double? {
    guard let port = statusPort,
      let page = try? WebAddress("http://127.0.0.1:\(port)/metrics", schemes: ["http"], expected: ""),
      let answer = try? HTTPClient(timeout: 10).send(HTTPRequest(.get, page))
    else { return nil }
    let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.utf8.count + 1)) }
  }

  /// Descriptors, threads, and resident kilobytes.
  var footprint: (descriptors: Int, threads: Int, kilobytes: Int) {
    let status = Self.file("/proc/\(process)/status").split(separator: "\n")
    func field(_ name: String) -> Int {
      let line = status.first { $0.hasPrefix(name + ":") } ?? ""
      return line.split(separator: "\t").last.flatMap { $0.split(separator: " ").first }.flatMap { Int($0) }
        ?? -1
    }
    let descriptors = (try? Files.names(in: "/proc/\(process)/fd").count) ?? -1
    return (descriptors, field("Threads"), field("VmRSS"))
  }

  /// Seconds of processor time that it has used.
  var processorTime: Double {
    let fields = Self.file("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = [11, 12].compactMap { fields.indices.contains($0) ? Double(fields[$0]) : nil }
    return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func file(_ path: String) -> String {
    String(decoding: (try? Files.read(path)) ?? [], as: UTF8.self)
  }

  /// Waits until the service has searched this many seconds of audio for hotwords.
  func waits(untilHeard seconds: Double) -> Bool {
    Waiting.until { metric("hotword_audio_seconds_total") ?? 0 >= seconds }
  }

  /// Waits for the program's end, after `signal` where one is given.
  ///
  /// - Parameter receiver: the process that gets the signal; nil for the program's.
  func end(by signal: Int32? = nil, to receiver: pid_t? = nil) throws -> Program.Outcome {
    closeInput()
    if let signal { kill(receiver ?? process, signal) }
    var status: Int32 = 0
    guard Waiting.until(within: Self.limit, { waitpid(process, &status, WNOHANG) == process }) else {
      throw DidNotEnd(output: output, errors: errors)
    }
    code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    return Program.Outcome(code: code ?? -1, output: output, errors: errors)
  }

  private func text(_ name: String) -> String {
    String(decoding: (try? Files.read("\(folder)/\(name)")) ?? [], as: UTF8.self)
  }
}
