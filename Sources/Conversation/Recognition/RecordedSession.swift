/// One utterance that is transcribed when it is complete: a recording goes out, its text comes back.
final class RecordedSession: RecognitionSession {
  /// Takes a WAV file (16 kHz, 16 bits, mono) and whether the caller has given up; returns the text.
  typealias Transcribe = ([UInt8], @escaping () -> Bool) throws(RecognitionFault) -> String

  private let transcribe: Transcribe
  private let progress = SessionProgress()
  private var recording = Recording()

  init(_ transcribe: @escaping Transcribe) { self.transcribe = transcribe }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    recording.append(samples)
    return nil
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    let text = try transcribe(recording.wave) { self.progress.isCancelled }
    return Recording.transcript(text, duration: recording.duration)
  }

  func cancel() { progress.cancel() }
}
