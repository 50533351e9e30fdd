import CommandLineParsing
import Networking
import Platform

/// Where the page for browsers is served, and what protects it where others than the users of this machine can reach it.
package struct WebAccess: Sendable, Equatable {
  /// nil for no page.
  package var endpoint: HTTPEndpoint?
  /// The file of the server's certificate in PEM; nil for plain HTTP.
  package var certificate: String?
  /// The file of the certificate's key.
  package var key: String?
  /// The file of the token that the page asks for; nil for the standard one where a token is needed.
  package var token: String?
  /// The host names by which browsers reach the page, besides addresses.
  package var names: [String] = []

  package init(_ endpoint: HTTPEndpoint? = nil) { self.endpoint = endpoint }

  /// The address of the page if none is given.
  package static let standardAddress = "127.0.0.1:10480"

  /// The values of ``endpoint``, for messages.
  package static let expected = "ADDRESS:PORT, such as \(standardAddress), or unix:///PATH"

  /// The values of ``names``, for messages.
  static let expectedName = "a host name without a port, such as kitchen.example"

  /// Every key of a configuration file.
  static let keys = ["web", "web-certificate", "web-key", "web-token", "web-name"]

  /// The address by default.
  package static var standard: WebAccess { WebAccess(HTTPEndpoint(standardAddress)) }

  /// Takes the value of a key of a configuration file.
  ///
  /// - Returns: false for a key of something else.
  mutating func set(_ reader: SettingReader) throws(ConfigurationFault) -> Bool {
    switch reader.entry.key {
    case "web": endpoint = try reader.webEndpoint()
    case "web-certificate": certificate = try reader.path()
    case "web-key": key = try reader.path()
    case "web-token": token = try reader.path()
    case "web-name": names = try reader.hostNames()
    default: return false
    }
    return true
  }

  /// Takes what the options of a command line override.
  package mutating func take(_ arguments: Arguments) throws {
    if let text = arguments.value("--web") {
      guard let endpoint = HTTPEndpoint(text) else { throw arguments.badValue("--web", Self.expected) }
      self.endpoint = endpoint
    }
    if let file = arguments.value("--web-certificate") { certificate = file }
    if let file = arguments.value("--web-key") { key = file }
    if let file = arguments.value("--web-token") { token = file }
    if arguments.has("--web-name") {
      names = arguments.all("--web-name")
      guard names.allSatisfy(Self.isName) else { throw arguments.badValue("--web-name", Self.expectedName) }
    }
  }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
          || $0 == 0x2E || $0 == 0x5F
      }
  }

  /// The file of the token that the page asks for: where others can reach it, and where one is named. nil for no token.
  package var tokenFile: String? {
    if let token { return token }
    guard let endpoint, !endpoint.isLoopback else { return nil }
    return UserFolders.data("web.token")
  }

  /// What is missing for a page that others can reach; nil if nothing is.
  package var fault: WebAccessFault? {
    guard let endpoint else { return nil }
    if (certificate == nil) != (key == nil) { return .halfOfAPair(hasKey: key != nil) }
    if case .address(let address) = endpoint, !address.isLoopback, certificate == nil {
      return .unprotected(address)
    }
    return nil
  }

  /// The certificate and key; nil for plain HTTP.
  package func identity() throws(NetworkFault) -> TLSIdentity? {
    guard let certificate, let key else { return nil }
    return try TLSIdentity(certificate: certificate, key: key)
  }
}

/// What is missing for a page for browsers that others can reach.
package enum WebAccessFault: Fault, Equatable {
  /// Others can reach the address, and there is no certificate.
  case unprotected(HTTPAddress)
  /// There is a certificate without its key, or the reverse.
  case halfOfAPair(hasKey: Bool)
  /// The file's token is too short.
  case shortToken(file: String, least: Int)

  package var exitCode: ExitCode {
    switch self {
    case .unprotected, .halfOfAPair: .usage
    case .shortToken: .configuration
    }
  }

  package var message: String {
    switch self {
    case .unprotected(let address):
      "web: other machines can reach \(address); add web-certificate and web-key, use unix:///PATH behind a proxy, or an address of the loopback interface"
    case .halfOfAPair(let hasKey):
      hasKey
        ? "web-key has no certificate; add web-certificate" : "web-certificate has no key; add web-key"
    case .shortToken(let file, let least):
      "\(file): the token has fewer than \(least) characters; delete the file, and a new one is created at the next start"
    }
  }
}
