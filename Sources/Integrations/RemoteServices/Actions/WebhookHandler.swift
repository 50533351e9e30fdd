import Actions
import Networking
import Platform

/// Posts each intent as JSON to a web server, whose JSON answer may contain the reply.
///
/// If the server cannot be reached, or answers with a temporary error (408, 429, 500 and above), the request is repeated up to
/// twice within the timeout. The header `Idempotency-Key` has the same value each time, so that the server can recognize the
/// repetition. Redirects are not followed.
public struct WebhookHandler: Handler {
  /// The maximum number of requests.
  static let attempts = 3
  /// Seconds before the second request; four times as many before the third.
  static let pause = 0.25

  private let address: WebAddress
  private let key: Secret?
  private let authorities: String?
  private let timeout: Double
  private let isCancelled: @Sendable () -> Bool

  /// A fault, and whether a repeated request may succeed.
  private struct Failure: Error {
    let fault: ActionFault
    let isTemporary: Bool
  }

  /// - Parameters:
  ///   - address: with the scheme `http` or `https`.
  ///   - key: sent as a bearer token.
  ///   - authorities: a file of certificates to trust instead of the system's.
  ///   - timeout: seconds for all attempts together.
  ///   - isCancelled: called every 50 ms.
  public init(
    _ address: WebAddress, key: Secret? = nil, authorities: String? = nil,
    timeout: Double = CommandHandler.standardTimeout, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.address = address
    self.key = key
    self.authorities = authorities
    self.timeout = timeout
    self.isCancelled = isCancelled
  }

  /// Sends the event to the server.
  ///
  /// - Returns: its answer, see ``Answer/init(json:)``.
  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    guard event.interpretation.status == .ready, event.interpretation.intent != nil else { return nil }
    let request = request(event)
    let deadline = MonotonicClock.now() + timeout
    var pause = Self.pause
    var attempt = 1
    while true {
      do throws(Failure) {
        return try answer(try send(request, until: deadline, attempt: attempt))
      } catch {
        let next = MonotonicClock.now() + pause
        guard error.isTemporary, attempt < Self.attempts, next < deadline else { throw error.fault }
        try wait(until: next)
      }
      attempt += 1
      pause *= 4
    }
  }

  private func send(
    _ request: HTTPRequest, until deadline: Double, attempt: Int
  ) throws(Failure) -> HTTPResponse {
    let client = HTTPClient(timeout: max(0.01, deadline - MonotonicClock.now()), authorities: authorities)
    let response: HTTPResponse
    do {
      response = try client.send(request, isCancelled: isCancelled)
    } catch {
      throw failure(error)
    }
    guard response.isSuccess else {
      let status = response.status
      throw Failure(
        fault: .refused(peer: address.peer, status: status, attempts: attempt),
        isTemporary: status >= 500 || status == 408 || status == 429)
    }
    return response
  }

  private func request(_ event: IntentEvent) -> HTTPRequest {
    var random = SystemRandomNumberGenerator()
    let parts = (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 16) }
    var headers = [
      HTTPRequest.Header("Content-Type", "application/json"),
      HTTPRequest.Header("Accept", "application/json"),
      HTTPRequest.Header("Idempotency-Key", parts.joined(separator: "-")),
    ]
    if let key { headers.append(HTTPRequest.Header("Authorization", "Bearer \(key.text)")) }
    return HTTPRequest(.post, address, headers: headers, body: Array(event.json.description.utf8))
  }

  private func answer(_ response: HTTPResponse) throws(Failure) -> Answer? {
    let isJSON = response.contentType == "application/json"
    let first = response.body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // Simple servers send no type, or the one of text; other answers, such as pages, are no replies.
    guard let first, isJSON || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    guard let json = try? JSON(parsing: response.body) else {
      throw Failure(fault: .noReply(peer: address.peer), isTemporary: false)
    }
    return Answer(json: json)
  }

  private func failure(_ fault: NetworkFault) -> Failure {
    switch fault {
    case .cancelled: Failure(fault: .cancelled(command: address.peer), isTemporary: false)
    case .timedOut(let peer, _):
      Failure(
        fault: .remote(AnyFault(NetworkFault.timedOut(peer: peer, seconds: timeout))), isTemporary: false)
    case .unreachable, .closed, .failed: Failure(fault: .remote(AnyFault(fault)), isTemporary: true)
    default: Failure(fault: .remote(AnyFault(fault)), isTemporary: false)
    }
  }

  private func wait(until time: Double) throws(ActionFault) {
    while MonotonicClock.now() < time {
      if isCancelled() { throw .cancelled(command: address.peer) }
      MonotonicClock.sleep(until: min(time, MonotonicClock.now() + 0.05))
    }
  }
}
