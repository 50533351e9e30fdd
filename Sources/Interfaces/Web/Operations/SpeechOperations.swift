import AudioCapture
import Configuration
import Networking
import PCM
import Platform
import Service
import Synchronization

/// Recognizes a recording of the page's microphone, with the recognizer of the service.
final class SpeechOperations: Sendable {
  /// Seconds of a recording.
  static let longest = 15.0
  /// Bytes of a WAV file of that length.
  static let limit = 2 * AudioFormat.samples(longest) + 4_096

  private let isBusy = Atomic<Bool>(false)

  /// What `hotword transcribe` prints for the WAV file in the body, and why a recognizer was not used. One recording at a time.
  func transcribe(_ request: ServedRequest, _ settings: ServiceSettings) throws(WebFault) -> JSON {
    let samples = try Self.samples(request)
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

  /// The samples of a WAV file of 16 kHz, 16 bits and one channel.
  static func samples(_ request: ServedRequest) throws(WebFault) -> [Int16] {
    let expected = WebFault.badField(
      "the body", expected: "a WAV file of 16 kHz, 16 bits and one channel, of up to \(Int(longest)) seconds")
    guard request.headers["content-type"]?.hasPrefix("audio/wav") ?? false, request.body.count <= limit else {
      throw expected
    }
    var decoder = WAVDecoder()
    var samples: [Float] = []
    do throws(WAVFault) {
      try decoder.push(request.body[...], into: &samples)
    } catch {
      throw expected
    }
    guard let header = decoder.header, header.sampleRate == AudioFormat.sampleRate, header.channels == 1,
      Double(samples.count) <= longest * Double(AudioFormat.sampleRate)
    else { throw expected }
    return samples.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) }
  }
}
