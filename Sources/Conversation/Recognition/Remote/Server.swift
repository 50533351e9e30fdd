import Networking
import Platform

/// What the recognizers on other machines have in common.
enum Server {
  /// Seconds to connect in; a server that takes longer is down.
  static let connectTime = 3.0
  /// The most characters of a transcript.
  static let textLimit = 10_000

  /// Network faults as a recognizer tells them.
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

  /// Whether somebody answers at `endpoint`.
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
  /// Fails when the recognizer is not available.
  func checkAvailable() throws(RecognitionFault) {
    if case .unavailable(let fault) = availability { throw fault }
  }
}
