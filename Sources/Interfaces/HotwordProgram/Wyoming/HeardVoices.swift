import Detection
import Service
import Speakers
import WyomingServer

/// The enrolled voices in the stream of one client.
final class HeardVoices: StreamVoices {
  private let voices: EnrolledVoices
  private let recent = HeardStream()

  init(_ voices: EnrolledVoices) { self.voices = voices }

  func reset() { recent.reset() }
  func append(_ samples: UnsafeBufferPointer<Int16>) { recent.append(samples) }
  func speaker(of hit: Hit) -> String? { recent.judge(hit, by: voices)?.name }

  var check: @Sendable ([Int16], String) -> Bool { KnownVoices.comparison(with: voices) }
}
