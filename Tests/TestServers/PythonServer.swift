import Glibc
import Platform
import Synchronization

/// A server in Python on a port of its own of the loopback interface, for as long as this value lives.
///
/// The script gets the path of a log file, then `arguments`. Its first line of output is its port, or any text that means that it is
/// ready. It writes the requests that it receives as lines of JSON to the log.
public final class PythonServer {
  /// The first line that the script printed.
  public let address: String
  private let log: String
  private let process: pid_t

  public var port: Int { Int(address) ?? 0 }

  public struct DidNotStart: Error {
    public let script: String
  }

  /// - Parameters:
  ///   - script: a file of `Tests/TestServers/Scripts`.
  ///   - modules: what the script imports besides the standard library.
  public init(_ script: String, _ arguments: [String] = [], modules: [String] = []) throws {
    guard let python = Self.python(with: modules) else { throw DidNotStart(script: script) }
    log = Self.temporaryFolder() + "/log"
    guard let (output, input) = Loopback.pair() else { throw DidNotStart(script: script) }
    let path = Self.script(script)
    let started = ChildProcess.start([python, path, log] + arguments) {
      posix_spawn_file_actions_adddup2(&$0, input, 1)
    }
    close(input)
    defer { close(output) }
    guard let process = started else { throw DidNotStart(script: script) }
    self.process = process
    var line: [UInt8] = []
    var byte: UInt8 = 0
    let deadline = MonotonicClock.now() + Waiting.limit
    while Self.isReadable(output, until: deadline), read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    address = String(decoding: line, as: UTF8.self)
    if byte != UInt8(ascii: "\n") {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      throw DidNotStart(script: script)
    }
  }

  private static func isReadable(_ descriptor: Int32, until deadline: Double) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let left = deadline - MonotonicClock.now()
    return left > 0 && poll(&polled, 1, Int32(left * 1000)) > 0
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// The requests that it has received so far.
  public var requests: [JSON] {
    let bytes = (try? Files.read(log)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSON(parsing: Array($0), what: "log")
    }
  }

  /// What ``python(with:)`` has found; each look starts Python.
  private static let found = Mutex<[[String]: String?]>([:])

  /// A Python that has `modules`: the one that `make test` sets up, or the first in PATH.
  public static func python(with modules: [String]) -> String? {
    if let known = found.withLock({ $0[modules] }) { return known }
    let python = search(modules)
    found.withLock { $0[modules] = .some(python) }
    return python
  }

  private static func search(_ modules: [String]) -> String? {
    let root = folder.dropLast("/Tests/TestServers".count)
    return ["\(root)/.build/python/bin/python3", "python3"].first { python in
      let line = (["sys"] + modules).map { "import \($0)" }.joined(separator: ";")
      let result = try? Subprocess([python, "-c", line]).run(timeout: 60, keepsErrors: true)
      return result?.ending == .exited(0)
    }
  }

  /// The path of a file of `Tests/TestServers/Scripts`.
  public static func script(_ name: String) -> String { "\(folder)/Scripts/\(name)" }

  /// A new empty folder `/tmp/hotword-NAME-…`.
  public static func temporaryFolder(_ name: String = "server") -> String {
    guard let template = strdup("/tmp/hotword-\(name)-XXXXXX") else { return "" }
    defer { free(template) }
    return String(cString: mkdtemp(template))
  }

  private static let folder = String(#filePath.dropLast("/PythonServer.swift".count))
}
