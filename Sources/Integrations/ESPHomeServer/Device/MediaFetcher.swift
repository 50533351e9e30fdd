import AudioCapture
import Networking
import PCM
import Platform

/// Fetches audio by HTTP and decodes it, on a thread of its own.
final class MediaFetcher: Sendable {
  private struct Request: Sendable {
    let addresses: [String]
    let isCancelled: @Sendable () -> Bool
    let then: @Sendable ([Int16]?) -> Void
  }

  /// The maximum size of a file in bytes.
  private static let limit = 32 << 20
  /// The maximum number of samples of a file: 17 minutes.
  private static let longest = 16 << 20
  /// Seconds for a file.
  private static let timeout = 60.0
  private static let expected = "http://HOST/PATH or https://HOST/PATH"

  private let requests = JobQueue<Request>()

  /// - Throws: a `SystemFault` if no thread can be started.
  init() throws(SystemFault) {
    try DetachedThread.start(blocksSignals: true) { [requests] in
      while true {
        let request = requests.take()
        request.then(Self.samples(of: request))
      }
    }
  }

  /// Fetches the files at `addresses` one after the other and calls `then` on the thread: with the samples of all, 16 kHz mono, or with
  /// nil if one cannot be fetched or played, which the log explains, or is not wanted any more.
  ///
  /// - Parameter isCancelled: called while it waits.
  func fetch(
    _ addresses: [String], isCancelled: @escaping @Sendable () -> Bool = { false },
    then: @escaping @Sendable ([Int16]?) -> Void
  ) {
    requests.append(Request(addresses: addresses, isCancelled: isCancelled, then: then))
  }

  private static func samples(of request: Request) -> [Int16]? {
    if request.isCancelled() { return nil }
    do {
      return try request.addresses.flatMap { try samples($0, request.isCancelled) }
    } catch NetworkFault.cancelled {
      return nil
    } catch {
      let reason = (error as? any Fault)?.message ?? PlainText.line("\(error)", limit: 200)
      Log.warning("cannot be played: \(reason)")
      return nil
    }
  }

  private static func samples(_ text: String, _ isCancelled: @escaping () -> Bool) throws -> [Int16] {
    let address = try WebAddress(text, schemes: ["http", "https"], expected: expected)
    let response = try HTTPClient(timeout: timeout, limit: limit).send(
      HTTPRequest(.get, address), isCancelled: isCancelled)
    guard response.isSuccess else {
      throw NetworkFault.failed(peer: address.peer, reason: "answered with the status \(response.status)")
    }
    return try AudioFile.decode(response.body, name: address.peer, limit: longest)
  }
}
