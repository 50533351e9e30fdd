import Platform

/// The system calls by which a run of the program reached files, programs and the network, in the order in which they began.
struct SystemCalls {
  struct Call: CustomStringConvertible {
    /// Seconds since 1970.
    let time: Double
    let name: String
    /// What strace prints between the parentheses; descriptors are followed by what they refer to.
    let arguments: String

    /// What the first argument, a descriptor, refers to, such as `TCP:[127.0.0.1:1->127.0.0.1:2]`.
    var target: String {
      let rest = arguments.drop { $0 != "<" }.dropFirst()
      // The text of a connection contains `->`.
      return String(rest[..<(rest.firstRange(of: ">,")?.lowerBound ?? rest.endIndex)])
    }

    var description: String { "\(name)(\(arguments)" }
  }

  let all: [Call]

  /// Whether this process may trace another.
  static let canBeTraced = (try? Program.shell("strace -qq -o /dev/null true").code) == 0

  /// The words before a program that write its system calls to `path`.
  static func tracer(_ path: String) -> [String] {
    let calls = "%file,%network,write,writev,pwrite64,pwritev,pwritev2,sendfile,splice,ftruncate"
    return [
      "strace", "-f", "-qq", "-yy", "-ttt", "-s", "400", "-e", "signal=none", "-e", "trace=\(calls)", "-o",
      path,
    ]
  }

  init(_ path: String) throws {
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    all = text.split(separator: "\n").compactMap { line in
      // The number of the thread, the time, and the call; the second part of an interrupted one begins with `<...`. strace writes
      // `???(` of a thread that has ended before it could look.
      let fields = line.split(separator: " ", maxSplits: 2)
      guard fields.count == 3, let time = Double(fields[1]), !fields[2].hasPrefix("<..."),
        !fields[2].hasPrefix("???"),
        let open = fields[2].firstIndex(of: "(")
      else { return nil }
      return Call(
        time: time, name: String(fields[2][..<open]),
        arguments: String(fields[2][fields[2].index(after: open)...]))
    }
  }

  func named(_ names: String...) -> [Call] { all.filter { names.contains($0.name) } }

  /// Calls that use the network or a local socket.
  var ofSockets: [Call] {
    all.filter { call in
      Self.socketCalls.contains(call.name)
        || call.name.contains("write")
          && ["TCP", "UDP", "UNIX", "socket"].contains { call.target.hasPrefix($0) }
    }
  }

  /// Calls that create or change a file or a folder.
  var ofChanges: [Call] {
    all.filter { call in
      switch call.name {
      case "open", "openat", "openat2":
        return ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"].contains {
          call.arguments.contains($0)
        }
      case "write", "writev", "pwrite64", "pwritev", "pwritev2", "sendfile", "splice", "ftruncate":
        let isStandardStream = call.arguments.hasPrefix("1<") || call.arguments.hasPrefix("2<")
        return !isStandardStream && call.target.hasPrefix("/")
      default: return !Self.socketCalls.contains(call.name) && !Self.readingCalls.contains(call.name)
      }
    }
  }

  private static let socketCalls: Set = [
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
    "recvfrom", "recvmsg", "recvmmsg", "shutdown", "getsockname", "getpeername", "setsockopt", "getsockopt",
  ]
  /// Calls with the name of a file that change nothing.
  private static let readingCalls: Set = [
    "execve", "access", "faccessat", "faccessat2", "stat", "lstat", "fstatat64", "newfstatat", "statx",
    "statfs",
    "readlink", "readlinkat", "getcwd", "chdir", "fstat",
  ]
}
