import Networking
import Platform
import Recognition

/// What the recognizers on servers have in common.
enum RemoteRecognizer {
  /// Seconds within which a server must accept a connection.
  static let connectTimeout = 3.0
  /// Runs `body` and throws its network fault as a fault of recognition.
  static func attempt<Result>(_ body: () throws(NetworkFault) -> Result) throws(RecognitionFault) -> Result {
    do {
      return try body()
    } catch {
      throw fault(error)
    }
  }

  static func fault(_ fault: NetworkFault) -> RecognitionFault {
    fault == .cancelled ? .cancelled : .remote(AnyFault(fault))
  }

  /// Whether a server accepts connections at `endpoint`.
  static func availability(of endpoint: Connection.Endpoint, authorities: String?) -> RecognizerAvailability {
    do throws(RecognitionFault) {
      _ = try attempt { () throws(NetworkFault) in
        try Connection(to: endpoint, authorities: authorities, .init(seconds: connectTimeout))
      }
      return .available
    } catch {
      return .unavailable(error)
    }
  }

  /// The primary language of a locale: `en` for `en-US`.
  static func language(_ locale: String) -> String {
    String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()
  }
}

extension Recognizer {
  /// Throws if the recognizer is not available.
  func checkAvailable() throws(RecognitionFault) {
    if case .unavailable(let fault) = availability { throw fault }
  }
}
