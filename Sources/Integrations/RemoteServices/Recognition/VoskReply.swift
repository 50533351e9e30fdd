import Glibc
import Networking
import Platform
import Recognition

/// One message of a Vosk server.
enum VoskReply: Equatable {
  /// The text so far of the current sentence.
  case partial(String)
  /// A complete sentence.
  case sentence(Transcript)

  /// - Returns: nil if it is not such a message.
  init?(_ message: String) {
    guard let json = try? JSON(parsing: Array(message.utf8)) else { return nil }
    if let text = json["partial"]?.string {
      self = .partial(PlainText.line(text, limit: Transcript.textLimit))
    } else if let alternatives = json["alternatives"]?.array {
      guard let sentence = Self.sentence(alternatives) else { return nil }
      self = .sentence(sentence)
    } else if let text = json["text"]?.string {
      self = .sentence(Self.sentence(text, json["result"]?.array ?? []))
    } else {
      return nil
    }
  }

  /// A sentence of words; its confidence is the mean of theirs.
  private static func sentence(_ text: String, _ words: [JSON]) -> Transcript {
    let text = PlainText.line(text, limit: Transcript.textLimit)
    guard !text.isEmpty else { return .silence }
    let segments = segments(words)
    let known = segments.map(\.confidence)
    let confidence = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    return Transcript(text: text, confidence: confidence, segments: segments)
  }

  private static func segments(_ words: [JSON]) -> [Transcript.Segment] {
    words.prefix(1_000).compactMap { word in
      guard let text = word["word"]?.string, let start = word["start"]?.number, let end = word["end"]?.number,
        start >= 0, end >= start, end < 1e6
      else { return nil }
      let confidence = min(1, max(0, word["conf"]?.number ?? 1))
      return Transcript.Segment(text: PlainText.line(text), start: start, end: end, confidence: confidence)
    }
  }

  /// A sentence of alternatives, best first. The server's confidences are logarithms with an arbitrary offset, so only the
  /// distance from the best one is used.
  private static func sentence(_ alternatives: [JSON]) -> Transcript? {
    guard let first = alternatives.first, let text = first["text"]?.string else { return nil }
    var best = sentence(text, first["result"]?.array ?? [])
    let top = first["confidence"]?.number ?? 0
    var seen: Set = [best.text]
    for alternative in alternatives.dropFirst().prefix(100) {
      let text = PlainText.line(alternative["text"]?.string ?? "", limit: Transcript.textLimit)
      guard !text.isEmpty, seen.insert(text).inserted else { continue }
      let below = min(0, (alternative["confidence"]?.number ?? 0) - top)
      best.alternatives.append(Transcript.Alternative(text: text, confidence: best.confidence * exp(below)))
    }
    return best
  }
}
