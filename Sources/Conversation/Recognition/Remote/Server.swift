import Networking
import Platform

/// Shared by the recognizers on other machines.
enum Server {
  /// Maximum seconds to connect; a server that takes longer is unavailable.
  static let connectTime = 3.0
  /// The maximum length of a transcript.
  static let textLimit = 10_000

  /// Calls `body` and maps network faults to recognition faults.
  static func attempt<Result>(_ body: () throws(NetworkFault) -> Result) throws(RecognitionFault) -> Result {
    do {
      return try body()
    } catch {
      throw fault(error)
    }
  }

  static func fault(_ fault: NetworkFault) -> RecognitionFault {
    fault == .cancelled ? .cancelled : .network(fault)
  }

  /// Whether a server accepts connections at `endpoint`.
  static func availability(of endpoint: Connection.Endpoint, authorities: String?) -> RecognizerAvailability {
    do throws(RecognitionFault) {
      _ = try attempt { () throws(NetworkFault) in
        try Connection(to: endpoint, authorities: authorities, .init(seconds: connectTime))
      }
      return .available
    } catch {
      return .unavailable(error)
    }
  }

  /// The primary part of a locale: `en` for `en-US`.
  static func language(_ locale: String) -> String {
    String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()
  }
}

extension Recognizer {
  /// Throws the reason where the recognizer is not available.
  func checkAvailable() throws(RecognitionFault) {
    if case .unavailable(let fault) = availability { throw fault }
  }
}
