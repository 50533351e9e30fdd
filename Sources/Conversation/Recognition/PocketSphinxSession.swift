import Glibc
import PCM
import Platform

/// The session of one utterance with a PocketSphinx decoder.
final class PocketSphinxSession: RecognitionSession {
  /// The decoder gets frames of 10 ms, so that results do not depend on the size of chunks and the position of each of
  /// its frames in the audio is known.
  private static let block = AudioFormat.frameLength
  /// The delay of the decoder in frames.
  private static let lag = 2
  /// The duration of a decoder frame in seconds.
  private static let frame = 0.01

  private let decoder: SphinxDecoder
  private let isGrammar: Bool
  private let request: RecognitionRequest
  private let progress = SessionProgress()
  private var pending: [Int16] = []
  private var lastPartial = ""
  private var fedFrames = 0
  private var lastPartialFrame = 0
  /// The position of each decoded frame in the audio; the library skips frames that it classifies as silence.
  private var places: [Int] = []
  private var isDecoding = false

  init(_ decoder: SphinxDecoder, isGrammar: Bool, _ request: RecognitionRequest) throws(RecognitionFault) {
    self.decoder = decoder
    self.isGrammar = isGrammar
    self.request = request
    try decoder.begin()
    isDecoding = true
  }

  deinit { close() }

  var state: RecognitionState { progress.state }

  func append(_ samples: [Int16]) throws(RecognitionFault) -> Transcript? {
    try progress.advance(to: .running)
    pending += samples
    var used = 0
    while pending.count - used >= Self.block {
      try decoder.process(pending[used..<used + Self.block])
      used += Self.block
      place()
    }
    pending.removeFirst(used)
    // A partial result traces back through the whole utterance: at most ten a second.
    guard request.partialResults, fedFrames - lastPartialFrame >= 10 else { return nil }
    lastPartialFrame = fedFrames
    return partial()
  }

  private func place() {
    fedFrames += 1
    let decoded = decoder.frameCount
    let new = decoded - places.count
    for index in 0..<max(0, new) { places.append(max(0, fedFrames - new + index - Self.lag)) }
  }

  /// Seconds from the start of the audio to the decoder frame `index`.
  private func seconds(_ index: Int) -> Double {
    guard let last = places.last else { return Double(index) * Self.frame }
    return Double(index < places.count ? places[index] : last + 1 + index - places.count) * Self.frame
  }

  private func partial() -> Transcript? {
    let words = decoder.segments.filter { $0.text != nil }
    let text = words.compactMap(\.text).joined(separator: " ")
    guard !text.isEmpty, text != lastPartial else { return nil }
    lastPartial = text
    return transcript(of: words, isFinal: false)
  }

  func finish() throws(RecognitionFault) -> Transcript {
    try progress.advance(to: .finishing)
    defer { progress.complete() }
    try decoder.process(pending[...])
    pending = []
    isDecoding = false
    try decoder.end()
    place()
    guard decoder.text != nil else { return .silence }
    let words = decoder.segments.filter { $0.text != nil }
    if words.isEmpty { return .silence }
    var result = transcript(of: words, isFinal: true)
    if !isGrammar, request.alternatives > 0 { result.alternatives = alternatives(to: result) }
    return isGrammar ? result.rejectedBelow(Transcript.minimumConfidence) : result
  }

  func cancel() { progress.cancel() }

  /// Ends an unfinished utterance, so that the decoder can start another.
  func close() {
    guard isDecoding else { return }
    isDecoding = false
    try? decoder.end()
  }

  private func transcript(of words: [SphinxDecoder.Segment], isFinal: Bool) -> Transcript {
    let segments = words.map { word in
      Transcript.Segment(
        text: word.text ?? "", start: seconds(word.frames.lowerBound),
        end: seconds(word.frames.upperBound - 1) + Self.frame,
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

  /// The scores of the library are natural logarithms in units of 0.1024; the acoustic scale is 1/20.
  private func alternatives(to best: Transcript) -> [Transcript.Alternative] {
    let found = decoder.alternatives(request.alternatives + 1)
    guard let top = found.map(\.score).max() else { return [] }
    return found.filter { $0.text != best.text }.prefix(request.alternatives).map {
      Transcript.Alternative(
        text: $0.text, confidence: best.confidence * exp(Double($0.score - top) * 0.1024 / 20))
    }
  }
}
