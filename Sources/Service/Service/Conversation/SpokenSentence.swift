import Platform
import Recognition

/// Speech as one sentence, recognized as the service does it.
package enum SpokenSentence {
  /// Recognizes 16 kHz samples. Loads the recognizer, and frees it afterwards; it may take seconds.
  ///
  /// - Parameters:
  ///   - recognizers: their names; empty for the default.
  ///   - file: the intent file; nil for the default intents.
  ///   - report: receives the fault when one recognizer fails and the next is used.
  /// - Returns: as `hotword transcribe` prints it.
  package static func transcribe(
    _ samples: [Int16], by recognizers: [String], intents file: String?,
    report: @escaping (RecognitionFault) -> Void
  ) throws -> JSON {
    let sentences = KnownSentences(try PlugIns.intents(file).withAnswers())
    let recognizer = try PlugIns.recognizer(recognizers, of: sentences, report: report)
    let session = try recognizer.start(RecognitionRequest(partialResults: false))
    try session.append(samples)
    return try session.finish().json
  }
}
