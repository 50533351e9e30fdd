import PCM
import Platform
import Recognition
import Synchronization

/// Recognizers that return a text for any audio, and tell how they were used.
final class ScriptedSpeech: Sendable {
  struct Use: Sendable {
    var made = 0
    var started = 0
    var samples = 0
    var cancelled = 0
    var expected: [Set<String>] = []
  }

  /// The sentence is complete after so many samples; nil for never.
  let complete: Int?
  let fault: RecognitionFault?
  let use = Mutex(Use())

  init(complete: Int? = nil, fault: RecognitionFault? = nil) {
    self.complete = complete
    self.fault = fault
  }

  func make() -> any Recognizer {
    use.withLock { $0.made += 1 }
    return Scripted(self)
  }

  private final class Scripted: Recognizer, RecognitionSession {
    let script: ScriptedSpeech
    let name = "scripted"
    let locale = "en"
    let availability = RecognizerAvailability.available
    let state = RecognitionState.running
    var count = 0

    init(_ script: ScriptedSpeech) { self.script = script }

    func prepare() throws(RecognitionFault) { if let fault = script.fault { throw fault } }

    func start(_ request: RecognitionRequest) -> any RecognitionSession {
      count = 0
      script.use.withLock {
        $0.started += 1
        $0.expected.append(request.expected)
      }
      return self
    }

    func append(_ samples: [Int16]) -> Transcript? {
      count += samples.count
      script.use.withLock { $0.samples += samples.count }
      guard let complete = script.complete, count >= complete else { return nil }
      return Transcript(text: "lights on", confidence: 1, isFinal: false, isComplete: true)
    }

    func finish() -> Transcript { Transcript(text: "lights on", confidence: 1) }
    func cancel() { script.use.withLock { $0.cancelled += 1 } }
  }
}
