import Glibc
import PCM
import Platform

/// The session of one utterance with the built-in recognizer.
final class BuiltInSession: RecognitionSession {
  private static let block = AudioFormat.frameLength
  /// Frames between two partial results.
  private static let framesBetweenPartials = 10
  /// Seconds from the start of the stream to the middle of the window of the first step.
  private static let firstStep = 0.015
  /// Sentences whose meaning is compared with that of the best.
  private static let compared = 8

  private let encoder: EncoderStream
  private var search: SentenceSearch
  private let request: RecognitionRequest
  private let differ: @Sendable (String, String) -> Bool
  private let progress = SessionProgress()
  private var pending: [Int16] = []
  /// The last frames of the stream, mirrored at its end for the look-ahead of the encoder.
  private var tail: [Int16] = []
  private var lastPartial = ""
  private var framesSincePartial = 0

  init(
    _ encoder: EncoderStream, _ search: SentenceSearch, _ sentences: SentenceNetwork,
    _ request: RecognitionRequest
  ) {
    self.encoder = encoder
    self.search = search
    self.request = request
    differ = sentences.differ
    encoder.reset()
    let meanings = sentences.grammar.meanings
    self.search.reset(expecting: Set(meanings.indices.filter { request.expected.contains(meanings[$0]) }))
  }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    pending += samples
    processFrames()
    guard request.partialResults else { return nil }
    let isOver = search.ending.map { SentenceEnd.isReached($0, stepSeconds: encoder.stepSeconds) } ?? false
    guard isOver || framesSincePartial >= Self.framesBetweenPartials else { return nil }
    framesSincePartial = 0
    guard let found = search.best(mayBePartial: !isOver), !found.words.isEmpty else { return nil }
    let confidence = SentenceConfidence.confidence(of: found.words)
    let isComplete = isOver && confidence >= Transcript.minimumConfidence
    guard isComplete || found.text != lastPartial else { return nil }
    lastPartial = found.text
    return Transcript(
      text: found.text, confidence: confidence, segments: segments(of: found, rivals: []), isFinal: false,
      isComplete: isComplete)
  }

  /// Processes the complete frames in `pending`.
  private func processFrames() {
    var used = 0
    while pending.count - used >= Self.block {
      encoder.push(pending[used..<used + Self.block]) { search.push($0) }
      used += Self.block
      framesSincePartial += 1
    }
    tail = (tail + pending[..<used]).suffix(encoder.framesToFlush * Self.block)
    pending.removeFirst(used)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    guard !(tail + pending).isEmpty else { return .silence }
    // The look-ahead of the encoder after the end gets the end mirrored: digital silence would be another sound.
    let end = tail + pending
    let missing = encoder.framesToFlush * Self.block + (Self.block - end.count % Self.block) % Self.block
    for index in 0..<missing { pending.append(end[max(0, end.count - 1 - index % end.count)]) }
    processFrames()
    return result(search.sentences(max(Self.compared, request.alternatives) + 1))
  }

  /// - Parameter sentences: the best first.
  private func result(_ sentences: [Hypothesis]) -> Transcript {
    guard let best = sentences.first, !best.words.isEmpty else { return .silence }
    let rival = sentences.dropFirst().first { differ(best.text, $0.text) }
    let confidence = min(
      SentenceConfidence.confidence(of: best.words),
      rival.map { SentenceConfidence.confidence(lead: best.score - $0.score) } ?? 1)
    let found = sentences.prefix(request.alternatives + 1)
    let others = found.dropFirst().map { other in
      Transcript.Alternative(
        text: other.text,
        confidence: confidence * Double(exp((other.score - best.score) / SentenceConfidence.rivalSpread)))
    }
    let whole = Transcript(
      text: best.text, confidence: confidence, segments: segments(of: best, rivals: Array(found.dropFirst())),
      alternatives: others)
    return whole.rejectedBelow(Transcript.minimumConfidence)
  }

  private func segments(of found: Hypothesis, rivals: [Hypothesis]) -> [Transcript.Segment] {
    found.words.map { word in
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

  private func seconds(_ step: Int) -> Double { Double(step) * encoder.stepSeconds + Self.firstStep }

  func cancel() { progress.cancel() }
}
