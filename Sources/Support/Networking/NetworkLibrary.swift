import CNetwork
import Platform

/// Loads libcurl and libcrypto at their first use.
enum NetworkLibrary {
  static func load() throws(NetworkFault) {
    if let reason = net_load() { throw .missingLibrary(reason: String(cString: reason)) }
  }

  /// The text in a buffer that a C function has filled.
  static func text(_ reason: [CChar]) -> String {
    let bytes = reason.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
    return PlainText.line(String(decoding: bytes, as: UTF8.self), limit: 200)
  }
}

/// Passes `isCancelled` to a C callback.
final class Cancellation {
  let isCancelled: () -> Bool

  init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

  static let callback: net_cancelled_callback = { context in
    Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue().isCancelled()
  }
}
