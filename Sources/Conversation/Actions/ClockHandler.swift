import Glibc

/// Answers the standard intents `GetTime` and `GetDate` in English, where the intent file has no reply. Call it after the user's handlers.
public struct ClockHandler: Handler {
  private let now: @Sendable () -> Int

  /// - Parameter now: returns seconds since 1970-01-01 UTC. The time zone is the process's.
  public init(now: @escaping @Sendable () -> Int = { time(nil) }) { self.now = now }

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    guard event.interpretation.reply == nil, event.interpretation.language.lowercased().hasPrefix("en") else {
      return nil
    }
    switch event.interpretation.intent?.name {
    case "GetTime": return Answer("It is \(text("%I:%M %p").drop { $0 == "0" }).")
    case "GetDate": return Answer("It is \(text("%A, %B")) \(day), \(text("%Y")).")
    default: return nil
    }
  }

  private var day: Int { Int(local.tm_mday) }

  private var local: tm {
    var seconds = time_t(now())
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts
  }

  private func text(_ format: String) -> String {
    var parts = local
    let bytes = [CChar](unsafeUninitializedCapacity: 128) { buffer, count in
      count = strftime(buffer.baseAddress!, buffer.count, format, &parts)
    }
    return String(decoding: bytes.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }
}
