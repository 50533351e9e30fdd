import Assistant
import FrontEnd
import PCM
import Recognition

/// Recognizes one utterance and finds its end. One thread uses it.
///
/// It ends as soon as the recognizer knows that the sentence is complete, else after the silence of ``EndOfSpeech``.
public final class UtteranceListener {
  private let session: any RecognitionSession
  private let frontEnd: FrontEnd
  private var endOfSpeech: EndOfSpeech
  private var pending: [Int16] = []
  private let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)

  /// - Parameter frontEnd: detects voice; it is reset.
  public init(
    _ session: any RecognitionSession, _ frontEnd: FrontEnd,
    _ settings: EndOfSpeechSettings = EndOfSpeechSettings()
  ) {
    self.session = session
    self.frontEnd = frontEnd
    frontEnd.reset()
    endOfSpeech = EndOfSpeech(settings)
    endOfSpeech.begin()
  }

  deinit { frame.deallocate() }

  /// Takes the next samples, 16 kHz mono.
  ///
  /// - Returns: the transcript if the utterance has ended, with an empty text where nobody spoke; the listener is then over.
  public func push(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    pending += samples
    var used = 0
    defer { pending.removeFirst(used) }
    while pending.count - used >= AudioFormat.frameLength {
      let part = pending[used..<used + AudioFormat.frameLength]
      used += part.count
      let partial = try session.append(Array(part))
      _ = frame.update(fromContentsOf: part)
      let activity = frontEnd.process(frame)
      let state = endOfSpeech.push(voiced: activity.voiced, level: activity.level)
      if partial?.isComplete ?? false { return try session.finish() }
      switch state {
      case .ended(.noSpeech):
        session.cancel()
        return .silence
      case .ended(.silence), .ended(.tooLong): return try session.finish()
      case .idle, .waiting, .speaking: break
      }
    }
    return nil
  }

  /// The transcript of the samples so far.
  public func finish() throws(RecognitionFault) -> Transcript {
    if !pending.isEmpty { _ = try session.append(pending) }
    return try session.finish()
  }

  /// Drops the utterance.
  public func cancel() { session.cancel() }
}
