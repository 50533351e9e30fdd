import Glibc
import PCM
import Platform
import Synchronization

/// One utterance on its way through hotword's own recognizer.
final class BuiltInSession: RecognitionSession {
  private static let block = AudioFormat.frameLength
  /// Frames between two looks for a partial result.
  private static let framesBetweenLooks = 10
  /// Seconds from the beginning of the stream to the middle of the first step's window.
  private static let firstStep = 0.015

  private let ear: EncoderEar
  private var search: SentenceSearch
  private let request: RecognitionRequest
  private let isCancelled = Atomic(false)
  private var progress = RecognitionState.starting
  private var pending: [Int16] = []
  /// The end of the stream so far, for what the encoder must hear behind it.
  private var tail: [Int16] = []
  private var lastPartial = ""
  private var framesSinceLook = 0

  init(_ ear: EncoderEar, _ search: SentenceSearch, _ request: RecognitionRequest) {
    self.ear = ear
    self.search = search
    self.request = request
    ear.reset()
    self.search.reset()
  }

  var state: RecognitionState { isCancelled.load(ordering: .relaxed) ? .cancelled : progress }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try checkOpen()
    progress = .running
    pending += samples
    hear()
    guard request.partialResults, framesSinceLook >= Self.framesBetweenLooks else { return nil }
    framesSinceLook = 0
    guard let heard = search.best(mayBreakOff: true), !heard.words.isEmpty, heard.text != lastPartial else {
      return nil
    }
    lastPartial = heard.text
    return Transcript(
      text: heard.text, confidence: SentenceConfidence.confidence(of: heard.words),
      segments: segments(of: heard, rivals: []), isFinal: false)
  }

  /// Hears the whole frames that are pending.
  private func hear() {
    var used = 0
    while pending.count - used >= Self.block {
      ear.push(pending[used..<used + Self.block]) { search.push($0) }
      used += Self.block
      framesSinceLook += 1
    }
    tail = (tail + pending[..<used]).suffix(ear.framesToFlush * Self.block)
    pending.removeFirst(used)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try checkOpen()
    progress = .finishing
    defer { progress = .completed }
    guard !(tail + pending).isEmpty else { return .silence }
    // What the encoder must hear behind the end is the end mirrored: silence would be a sound of its own.
    let end = tail + pending
    let missing = ear.framesToFlush * Self.block + (Self.block - end.count % Self.block) % Self.block
    for index in 0..<missing { pending.append(end[max(0, end.count - 1 - index % end.count)]) }
    hear()
    return result(search.sentences(request.alternatives + 1))
  }

  private func result(_ found: [Hypothesis]) -> Transcript {
    guard let best = found.first, !best.words.isEmpty else { return .silence }
    let confidence = SentenceConfidence.confidence(of: best.words)
    let others = found.dropFirst().map { other in
      Transcript.Alternative(
        text: other.text,
        confidence: confidence * Double(exp((other.score - best.score) / SentenceConfidence.rivalSpread)))
    }
    let whole = Transcript(
      text: best.text, confidence: confidence, segments: segments(of: best, rivals: Array(found.dropFirst())),
      alternatives: others)
    return whole.rejectedBelow(Transcript.doubt)
  }

  private func segments(of heard: Hypothesis, rivals: [Hypothesis]) -> [Transcript.Segment] {
    heard.words.map { word in
      var others: [String] = []
      for rival in rivals {
        for other in rival.words where other.text != word.text && !others.contains(other.text) {
          let shared = other.steps.clamped(to: word.steps).count
          if 2 * shared > max(other.steps.count, word.steps.count) { others.append(other.text) }
        }
      }
      return Transcript.Segment(
        text: word.text, start: seconds(word.steps.lowerBound), end: seconds(word.steps.upperBound),
        confidence: SentenceConfidence.confidence(of: CollectionOfOne(word)), alternatives: others)
    }
  }

  private func seconds(_ step: Int) -> Double { Double(step) * ear.stepSeconds + Self.firstStep }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  private func checkOpen() throws(RecognitionFault) {
    switch state {
    case .starting, .running: return
    case .cancelled: throw .cancelled
    case .finishing, .completed: throw .sessionOver
    }
  }
}
