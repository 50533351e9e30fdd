import Configuration
import Glibc
import Networking
import Platform

/// The token that the page asks for where others than the users of this machine can reach it.
package struct WebToken: Sendable {
  /// Characters that a token has at least.
  static let least = 16

  package let text: String
  /// Whether the file has been created now.
  package let isNew: Bool

  /// Reads the token from a file, or creates the file with a new one, readable by the owner only.
  ///
  /// - Throws: ``WebAccessFault``, ``NetworkFault`` or ``SystemFault``.
  package static func load(_ file: String) throws -> WebToken {
    if !Files.exists(file), (try? Secret.path(of: file)) ?? file == file {
      let new = try random()
      if let slash = file.lastIndex(of: "/"), slash != file.startIndex {
        try Files.createFolder(String(file[..<slash]), mode: 0o700)
      }
      try Files.write(Array("\(new)\n".utf8), to: file, mode: 0o600)
      return WebToken(text: new, isNew: true)
    }
    let text = try Secret(file: file).text
    guard text.utf8.count >= least else { throw WebAccessFault.shortToken(file: file, least: least) }
    var status = stat()
    if stat(file, &status) == 0, status.st_mode & 0o077 != 0 {
      Log.warning("\(file): other users can read the token of the page; run: chmod 600 \(file)")
    }
    return WebToken(text: text, isNew: false)
  }

  /// 32 random bytes in hexadecimal digits.
  static func random() throws(SystemFault) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard getentropy(&bytes, bytes.count) == 0 else {
      throw .cannotStart(command: "the web server's token", code: errno)
    }
    return Digest.hex(bytes)
  }
}
