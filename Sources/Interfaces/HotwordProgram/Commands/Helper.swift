import Glibc
import Platform

/// The commands that train or evaluate live in a program of their own, `hotword-train` beside this one, so that
/// the listening process loads nothing that only training needs.
enum Helper {
  /// Goes on as `hotword-train COMMAND WORDS…`; returns only by throwing.
  static func become(_ command: String, _ words: [String]) throws(SystemFault) {
    var arguments = ([path, command] + words).map { strdup($0) } + [nil]
    execv(path, &arguments)
    let code = errno
    for argument in arguments { free(argument) }
    throw .cannotStart(command: path, code: code)
  }

  /// Runs `hotword-train COMMAND WORDS…` to its end.
  ///
  /// - Returns: its last complaint if it failed, else nil.
  static func run(_ command: String, _ words: [String], timeout: Double) throws(SystemFault) -> String? {
    let result = try Subprocess([path, command] + words).run(timeout: timeout, keepsErrors: true)
    if case .exited(0) = result.ending { return nil }
    return result.lastErrorLine ?? "hotword-train \(command) failed"
  }

  private static let path = ownFolder() + "/hotword-train"

  /// The folder of the running program.
  private static func ownFolder() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes {
      readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
