import Platform

/// A transcript in the form of `hermes/asr/textCaptured`.
struct HermesText: Sendable, Equatable {
  /// The fields of a `transcript` event.
  let result: JSON
  /// The duration of the listening.
  let seconds: Double

  init(_ result: JSON, seconds: Double) {
    self.result = result
    self.seconds = seconds
  }

  func json(site: String, session: String?, keyword: String?, language: String) -> JSON {
    [
      "text": result["text"] ?? "", "likelihood": result["confidence"] ?? 0, "seconds": .rounded(seconds),
      "siteId": .string(site), "sessionId": .text(session), "wakewordId": .text(keyword),
      "asrTokens": tokens, "lang": .string(language),
    ]
  }

  /// The words with their positions in the text and in time; null if the recognizer reports none.
  private var tokens: JSON {
    guard let segments = result["segments"]?.array, !segments.isEmpty else { return .null }
    var place = 0
    let words = segments.map { segment -> JSON in
      let word = segment["text"]?.string ?? ""
      defer { place += word.unicodeScalars.count + 1 }
      return [
        "value": .string(word), "confidence": segment["confidence"] ?? 1,
        "rangeStart": .number(Double(place)),
        "rangeEnd": .number(Double(place + word.unicodeScalars.count)),
        "time": ["start": segment["start"] ?? 0, "end": segment["end"] ?? 0],
      ]
    }
    return [.array(words)]
  }
}
