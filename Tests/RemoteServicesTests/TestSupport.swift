import Actions
import Networking
import Platform
import Recognition
import Understanding

extension IntentEvent {
  /// The event of a spoken command for the time.
  static let sample = sample("what time is it", "GetTime")

  static func sample(
    _ text: String, _ intent: String?, slots: [Interpretation.Slot] = []
  ) -> IntentEvent {
    let guess = intent.map { Interpretation.Guess(name: $0, confidence: 0.9) }
    return IntentEvent(
      time: 1.25,
      interpretation: Interpretation(
        text: text, language: "en", intent: guess, slots: slots, ranking: guess.map { [$0] } ?? [],
        status: guess == nil ? .notUnderstood : .ready),
      keyword: "computer")
  }
}

extension Error {
  /// The network fault behind a fault of recognition or of a handler.
  var networkFault: NetworkFault? {
    switch self as any Error {
    case RecognitionFault.remote(let fault): fault.underlying as? NetworkFault
    case ActionFault.remote(let fault): fault.underlying as? NetworkFault
    default: nil
    }
  }
}
