import Configuration
import Networking
import PCM
import Platform
import Service
import Synchronization

/// Recognizes a recording of the page's microphone, with the recognizer of the service.
final class SpeechOperations: Sendable {
  /// Seconds of a recording.
  static let longest = 15
  /// Bytes of a WAV file of that length.
  static let limit = 2 * AudioFormat.samples(Double(longest)) + 4_096

  private let isBusy = Atomic<Bool>(false)

  /// What `hotword transcribe` prints for the WAV file in the body, and why a recognizer was not used. One recording at a time.
  func transcribe(_ request: ServedRequest, _ settings: ServiceSettings) throws(WebFault) -> JSON {
    let samples = try request.recording(upTo: Self.longest)
    guard !isBusy.exchange(true, ordering: .acquiring) else { throw .busy }
    defer { isBusy.store(false, ordering: .releasing) }
    var warning: String?
    let result = try WebOperations.run {
      try SpokenSentence.transcribe(samples, by: settings.recognizers, intents: settings.intents) {
        warning = $0.message
      }
    }
    return [
      "text": result["text"] ?? "", "confidence": result["confidence"] ?? .null,
      "warning": warning.map { .string($0) } ?? .null,
    ]
  }
}
