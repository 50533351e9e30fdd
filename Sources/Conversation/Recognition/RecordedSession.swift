/// One utterance that is transcribed when it is complete.
package final class RecordedSession: RecognitionSession {
  /// Transcribes a WAV file (16 kHz, 16 bits, mono). The second argument returns whether the session was cancelled.
  package typealias Transcribe = ([UInt8], @escaping () -> Bool) throws(RecognitionFault) -> String

  private let transcribe: Transcribe
  private let progress = SessionProgress()
  private var recording = Recording()

  package init(_ transcribe: @escaping Transcribe) { self.transcribe = transcribe }

  package var state: RecognitionState { progress.state }

  package func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    recording.append(samples)
    return nil
  }

  package func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    let text = try transcribe(recording.wave) { self.progress.isCancelled }
    return Recording.transcript(text, duration: recording.duration)
  }

  package func cancel() { progress.cancel() }
}
