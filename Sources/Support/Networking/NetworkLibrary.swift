import CNetwork
import Platform

/// libcurl and libcrypto, opened when first needed.
enum NetworkLibrary {
  static func load() throws(NetworkFault) {
    if let reason = net_load() { throw .missingLibrary(reason: String(cString: reason)) }
  }

  /// The words of libcurl in a buffer that a call has filled.
  static func text(_ reason: [CChar]) -> String {
    let bytes = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return PlainText.line(String(decoding: bytes, as: UTF8.self), limit: 200)
  }
}

/// What a C callback asks whether the work is still wanted.
final class Cancellation {
  let isCancelled: () -> Bool

  init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

  static let ask: net_cancelled_callback = { context in
    Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue().isCancelled()
  }
}
