import Glibc
import Platform

/// A key or password, read from a file and never shown.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The secret itself, only for the request that needs it.
  public let text: String

  public init(_ text: String) { self.text = text }

  /// The first line of a file.
  ///
  /// - Parameters:
  ///   - name: a path; or, without a slash, the name of a credential, or of a file in the current folder if there is no such credential.
  ///   - credentials: the folder of credentials, by default that of the service manager.
  /// - Throws: ``NetworkFault/badSecret(file:)``, ``NetworkFault/noCredentials(name:)`` or ``NetworkFault/system(_:)``.
  public init(file name: String, credentials: String? = credentialsFolder) throws(NetworkFault) {
    let path = try Self.path(of: name, credentials: credentials)
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, limit: 16_384)
    } catch {
      throw .system(error)
    }
    var line = bytes[...]
    while let last = line.last, [0x09, 0x0A, 0x0D, 0x20].contains(last) { line.removeLast() }
    guard !line.isEmpty, line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .badSecret(file: path) }
    text = String(decoding: line, as: UTF8.self)
  }

  /// The path of a key's file: that of the credential called `name`, or `name` itself if it is a path or a file in the current folder.
  public static func path(
    of name: String, credentials: String? = credentialsFolder
  ) throws(NetworkFault) -> String {
    if name.contains("/") { return name }
    if let credentials, !name.isEmpty, Files.exists("\(credentials)/\(name)") {
      return "\(credentials)/\(name)"
    }
    guard Files.exists(name) else { throw .noCredentials(name: name) }
    return name
  }

  /// The folder of this process's credentials, `$CREDENTIALS_DIRECTORY`; nil if the service manager has set none.
  public static var credentialsFolder: String? {
    getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
  }

  public var description: String { "(secret)" }

  public var customMirror: Mirror { Mirror(self, children: []) }

  /// `message` with every occurrence of the secret replaced: a server may repeat it.
  public func removed(from message: String) -> String {
    message.split(separator: text, omittingEmptySubsequences: false).joined(separator: "(secret)")
  }
}
