/// Two recognizers of one grammar on the same audio: where both find the same sentence, it is almost always correct.
///
/// The first is the better one in quiet rooms and the second in noise: where they disagree, the first's sentence is used if it is
/// certain of it, else the second's. The idea is ROVER's: J. Fiscus, "A post-processing system to yield reduced word error rates:
/// recognizer output voting error reduction", 1997. Both run while audio arrives and cost the sum of their times.
public final class CombinedRecognizer: Recognizer {
  public let name: String
  private let first: any Recognizer
  private let second: any Recognizer

  public init(_ first: any Recognizer, _ second: any Recognizer, name: String = "combined") {
    self.first = first
    self.second = second
    self.name = name
  }

  public var locale: String { first.locale }

  public var availability: RecognizerAvailability {
    let own = first.availability
    return own == .available ? second.availability : own
  }

  public func prepare() throws(RecognitionFault) {
    try first.prepare()
    try second.prepare()
  }

  /// Starts a session of both; its partial results are the second's.
  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    var quiet = request
    quiet.partialResults = false
    return CombinedSession(try first.start(quiet), try second.start(request))
  }
}

/// The session of one utterance with two recognizers.
final class CombinedSession: RecognitionSession {
  private let first: any RecognitionSession
  private let second: any RecognitionSession

  init(_ first: any RecognitionSession, _ second: any RecognitionSession) {
    self.first = first
    self.second = second
  }

  var state: RecognitionState { second.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try first.append(samples)
    return try second.append(samples)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    let one = try first.finish()
    return Self.choice(one, try second.finish())
  }

  func cancel() {
    first.cancel()
    second.cancel()
  }

  /// The confidence from which on the first recognizer is certain.
  static let certain = 0.9995
  /// The highest confidence of a sentence that only one of the recognizers found. Of 213 such sentences, 124 were correct.
  static let disputed = 0.6

  /// The transcript that is more likely to be correct.
  static func choice(_ first: Transcript, _ second: Transcript) -> Transcript {
    if first.text == second.text {
      var agreed = first
      agreed.confidence = max(first.confidence, second.confidence)
      return agreed
    }
    let (chosen, other) =
      !first.text.isEmpty && first.confidence >= certain ? (first, second) : (second, first)
    guard !chosen.text.isEmpty else { return chosen }
    var result = chosen
    result.confidence = min(chosen.confidence, disputed)
    if !other.text.isEmpty {
      result.alternatives.removeAll { $0.text == other.text }
      result.alternatives.insert(
        .init(text: other.text, confidence: min(other.confidence, result.confidence)), at: 0)
    }
    return result
  }
}
