/// Two recognizers of one grammar on the same audio: where both find the same sentence, it is almost always correct.
///
/// The first is the better one in quiet rooms and the second in noise: where they disagree, the first's sentence is used if it is
/// certain of it, else the second's. The idea is ROVER's: J. Fiscus, "A post-processing system to yield reduced word error rates:
/// recognizer output voting error reduction", 1997. Both run while audio arrives and cost the sum of their times.
public final class CombinedRecognizer: Recognizer {
  public let name: String
  private let first: any Recognizer
  private let second: any Recognizer
  private let isSame: (String, String) -> Bool

  /// - Parameter isSame: whether two different texts mean the same.
  public init(
    _ first: any Recognizer, _ second: any Recognizer, name: String = "combined",
    isSame: @escaping (String, String) -> Bool
  ) {
    self.first = first
    self.second = second
    self.name = name
    self.isSame = isSame
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

  /// Starts a session of both; its partial results are the second's. The answer to a question is left to the second, which can
  /// prefer what is expected.
  public func start(_ request: RecognitionRequest) throws(RecognitionFault) -> any RecognitionSession {
    if !request.expected.isEmpty { return try second.start(request) }
    var quiet = request
    quiet.partialResults = false
    return CombinedSession(try first.start(quiet), try second.start(request), isSame)
  }
}

/// The session of one utterance with two recognizers.
final class CombinedSession: RecognitionSession {
  private let first: any RecognitionSession
  private let second: any RecognitionSession
  private let isSame: (String, String) -> Bool

  init(
    _ first: any RecognitionSession, _ second: any RecognitionSession,
    _ isSame: @escaping (String, String) -> Bool
  ) {
    self.first = first
    self.second = second
    self.isSame = isSame
  }

  var state: RecognitionState { second.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try first.append(samples)
    return try second.append(samples)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    let one = try first.finish()
    return Self.choice(one, try second.finish(), isSame)
  }

  func cancel() {
    first.cancel()
    second.cancel()
  }

  /// The confidence from which on the first recognizer is certain.
  static let certain = 0.9995
  /// The highest confidence of a sentence that only one of the recognizers found: where the first is certain of it, 12 of 17
  /// were correct, otherwise 61 in 100.
  static let certainAlone = 0.75
  static let alone = 0.6

  /// The transcript that is more likely to be correct.
  static func choice(
    _ first: Transcript, _ second: Transcript, _ isSame: (String, String) -> Bool
  ) -> Transcript {
    let isCertain = !first.text.isEmpty && first.confidence >= certain
    var (chosen, other) = isCertain ? (first, second) : (second, first)
    let isFound = !first.text.isEmpty && !second.text.isEmpty
    if isFound, first.text == second.text || isSame(first.text, second.text) {
      chosen.confidence = max(first.confidence, second.confidence)
      return chosen
    }
    guard !chosen.text.isEmpty else { return chosen }
    chosen.confidence = min(chosen.confidence, isCertain ? certainAlone : alone)
    if !other.text.isEmpty {
      other.confidence = min(other.confidence, chosen.confidence)
      chosen.alternatives.removeAll { $0.text == other.text }
      chosen.alternatives.insert(.init(text: other.text, confidence: other.confidence), at: 0)
    }
    return chosen
  }
}
