import Glibc
import Platform
import Synchronization

/// One utterance on its way through a PocketSphinx decoder.
final class PocketSphinxSession: RecognitionSession {
  /// The decoder is fed blocks of this many samples, so that results do not depend on the caller's chunks.
  private static let block = 1_600
  /// Seconds in one of the decoder's frames.
  private static let frame = 0.01

  private let decoder: SphinxDecoder
  private let isGrammar: Bool
  private let request: RecognitionRequest
  private let isCancelled = Atomic(false)
  private var progress = RecognitionState.starting
  private var pending: [Int16] = []
  private var lastPartial = ""
  private var isDecoding = false

  init(_ decoder: SphinxDecoder, isGrammar: Bool, _ request: RecognitionRequest) throws(RecognitionFault) {
    self.decoder = decoder
    self.isGrammar = isGrammar
    self.request = request
    try decoder.begin()
    isDecoding = true
  }

  deinit { close() }

  var state: RecognitionState { isCancelled.load(ordering: .relaxed) ? .cancelled : progress }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try checkOpen()
    progress = .running
    pending += samples
    var used = 0
    while pending.count - used >= Self.block {
      try decoder.process(Array(pending[used..<used + Self.block]))
      used += Self.block
    }
    pending.removeFirst(used)
    guard used > 0, request.partialResults else { return nil }
    return partial()
  }

  private func partial() -> Transcript? {
    let words = decoder.segments.filter { $0.text != nil }
    let text = words.compactMap(\.text).joined(separator: " ")
    guard !text.isEmpty, text != lastPartial else { return nil }
    lastPartial = text
    return transcript(of: words, isFinal: false)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try checkOpen()
    progress = .finishing
    defer { progress = .completed }
    if !pending.isEmpty { try decoder.process(pending) }
    pending = []
    isDecoding = false
    try decoder.end()
    guard decoder.text != nil else { return .silence }
    let words = decoder.segments.filter { $0.text != nil }
    if words.isEmpty { return .silence }
    var result = transcript(of: words, isFinal: true)
    if !isGrammar, request.alternatives > 0 { result.alternatives = alternatives(to: result) }
    return result
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Ends a decoding that nobody finished, so that the decoder can begin another.
  func close() {
    guard isDecoding else { return }
    isDecoding = false
    try? decoder.end()
  }

  private func transcript(of words: [SphinxDecoder.Segment], isFinal: Bool) -> Transcript {
    let segments = words.map { word in
      Transcript.Segment(
        text: word.text ?? "", start: Double(word.frames.lowerBound) * Self.frame,
        end: Double(word.frames.upperBound) * Self.frame,
        confidence: isGrammar
          ? GrammarConfidence.confidence(of: CollectionOfOne(word)) : min(1, max(0, word.posterior)))
    }
    let confidence: Double
    if isGrammar {
      confidence = GrammarConfidence.confidence(of: words)
    } else {
      confidence = segments.map(\.confidence).reduce(0, +) / Double(segments.count)
    }
    return Transcript(
      text: segments.map(\.text).joined(separator: " "), confidence: confidence, segments: segments,
      isFinal: isFinal)
  }

  /// The library's scores are natural logarithms in steps of 0.1024; the usual acoustic scale is a twentieth.
  private func alternatives(to best: Transcript) -> [Transcript.Alternative] {
    let found = decoder.alternatives(request.alternatives + 1)
    guard let top = found.map(\.score).max() else { return [] }
    return found.filter { $0.text != best.text }.prefix(request.alternatives).map {
      Transcript.Alternative(
        text: $0.text, confidence: best.confidence * exp(Double($0.score - top) * 0.1024 / 20))
    }
  }

  private func checkOpen() throws(RecognitionFault) {
    switch state {
    case .starting, .running: return
    case .cancelled: throw .cancelled
    case .finishing, .completed: throw .sessionOver
    }
  }
}
