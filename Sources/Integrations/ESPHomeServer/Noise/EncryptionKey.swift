import Glibc
import Networking
import Platform

/// The key that a satellite and Home Assistant share, 32 random bytes; people see it as base64.
public struct EncryptionKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  static let size = 32
  let bytes: [UInt8]

  /// A new key; load ``Sodium`` first.
  static func random() -> EncryptionKey { EncryptionKey(bytes: Sodium.random(size)) }

  init(bytes: [UInt8]) {
    precondition(bytes.count == Self.size)
    self.bytes = bytes
  }

  /// - Parameter text: 44 characters of base64.
  public init?(_ text: String) {
    guard let bytes = Base64.decode(text), bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// The key as Home Assistant expects it.
  public var text: String { Base64.encode(bytes) }

  public var description: String { "(secret)" }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Reads the key from a file, or creates the file with a new key, readable by the owner only.
  ///
  /// - Returns: the key, and whether it is new.
  /// - Throws: ``ESPHomeFault``.
  public static func load(_ path: String) throws(ESPHomeFault) -> (key: EncryptionKey, isNew: Bool) {
    do {
      if Files.exists(path) {
        let text = String(decoding: try Files.read(path, limit: 4_096), as: UTF8.self)
        let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        guard let key = EncryptionKey(word) else { throw ESPHomeFault.badKey(file: path) }
        try check(path)
        return (key, false)
      }
      try Sodium.load()
      let key = random()
      if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
        try Files.createFolder(String(path[..<slash]), mode: 0o700)
      }
      try Files.write(Array("\(key.text)\n".utf8), to: path, mode: 0o600)
      return (key, true)
    } catch let fault as ESPHomeFault {
      throw fault
    } catch let fault as SystemFault {
      throw .system(fault)
    } catch {
      throw .badKey(file: path)
    }
  }

  /// Warns of a key that others can read.
  private static func check(_ path: String) throws(SystemFault) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
      Log.warning("\(path): other users can read the encryption key; run: chmod 600 \(path)")
    }
  }
}
