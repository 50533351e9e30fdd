import CPocketSphinx
import Glibc

/// One PocketSphinx decoder with one search. Not thread-safe: use it on one thread at a time.
final class SphinxDecoder {
  /// One word (or phone, or silence) of a result.
  struct Segment: Equatable {
    var word: String
    /// In decoded frames of 10 ms.
    var frames: Range<Int>
    /// The acoustic log score, relative to the best senone of each frame where all are computed.
    var acoustic: Int
    /// 0…1; 1 for grammars.
    var posterior: Double

    /// The word without the number of its pronunciation; nil for silence, noise and sentence boundaries.
    var text: String? {
      guard let first = word.first, first != "<", first != "[", first != "(", first != "+", word != "SIL"
      else {
        return nil
      }
      return word.firstIndex(of: "(").map { String(word[..<$0]) } ?? word
    }
  }

  private let pointer: OpaquePointer

  /// - Throws: ``RecognitionFault/missingLibrary(reason:)`` or ``RecognitionFault/modelRefused(folder:reason:)``.
  init(folder: String, options: [String]) throws(RecognitionFault) {
    if let reason = sphinx_load() { throw .missingLibrary(reason: String(cString: reason)) }
    let strings = options.map { strdup($0) }
    defer { for string in strings { free(string) } }
    let arguments = strings.map { UnsafePointer($0) }
    guard let made = sphinx_open(Int32(arguments.count), arguments) else {
      throw .modelRefused(folder: folder, reason: Self.lastError)
    }
    pointer = made
  }

  deinit { sphinx_close(pointer) }

  /// The last error message of the library on this thread, without source file and line.
  private static var lastError: String {
    let line = String(cString: sphinx_last_error())
    let parts = line.split(separator: ": ", maxSplits: 2)
    return parts.count == 3 && parts[1].contains("line") ? String(parts[2]) : line
  }

  func contains(_ word: String) -> Bool { sphinx_has_word(pointer, word) }

  func add(_ word: String, phones: [String]) -> Bool {
    sphinx_add_word(pointer, word, phones.joined(separator: " "))
  }

  func use(grammar jsgf: String) throws(RecognitionFault) {
    guard sphinx_use_grammar(pointer, jsgf) else { throw .badGrammar(reason: Self.lastError) }
  }

  func use(ngrams path: String) throws(RecognitionFault) {
    guard sphinx_use_ngrams(pointer, path) else { throw .modelRefused(folder: path, reason: Self.lastError) }
  }

  func use(phones path: String) throws(RecognitionFault) {
    guard sphinx_use_phones(pointer, path) else { throw .modelRefused(folder: path, reason: Self.lastError) }
  }

  func begin() throws(RecognitionFault) {
    guard sphinx_begin(pointer) else { throw .decoderFailed(step: "begin", reason: Self.lastError) }
  }

  func process(_ samples: ArraySlice<Int16>) throws(RecognitionFault) {
    let isTaken = samples.withUnsafeBufferPointer {
      $0.isEmpty || sphinx_process(pointer, $0.baseAddress.unsafelyUnwrapped, Int32($0.count))
    }
    guard isTaken else {
      throw .decoderFailed(step: "decode", reason: Self.lastError)
    }
  }

  func end() throws(RecognitionFault) {
    guard sphinx_end(pointer) else { throw .decoderFailed(step: "end", reason: Self.lastError) }
  }

  /// The number of frames decoded so far, without those that the library skips as silence.
  var frameCount: Int { Int(sphinx_frames(pointer)) }

  /// The best text so far; nil where the search has none.
  var text: String? { sphinx_text(pointer).map { String(cString: $0) } }

  /// The posterior of the whole text, 0…1; 1 for grammars.
  var posterior: Double { sphinx_posterior(pointer) }

  var segments: [Segment] {
    var capacity = 256
    while true {
      let buffer = UnsafeMutablePointer<sphinx_segment>.allocate(capacity: capacity)
      defer { buffer.deallocate() }
      let count = Int(sphinx_segments(pointer, buffer, Int32(capacity)))
      if count > capacity {
        capacity = count
        continue
      }
      let words = (0..<count).map { String(cString: buffer[$0].word) }
      // The library adds the start of the last stretch of speech to all frame numbers; the first word starts at frame 0.
      let added = words.firstIndex { $0 != Self.emptyStep }.map { Int(buffer[$0].first) } ?? 0
      return words.enumerated().map { index, word in
        let segment = buffer[index]
        let first = max(0, Int(segment.first) - added)
        return Segment(
          word: word, frames: first..<max(first, Int(segment.last) + 1 - added),
          acoustic: Int(segment.acoustic), posterior: segment.posterior)
      }
    }
  }

  /// A transition in the grammar without audio.
  private static let emptyStep = "(NULL)"

  /// Up to `limit` distinct texts with their scores, best first, from up to `20 * limit` candidates.
  func alternatives(_ limit: Int) -> [(text: String, score: Int)] {
    final class Collector {
      var found: [(text: String, score: Int)] = []
      var seen = 0
      let limit: Int
      init(limit: Int) { self.limit = limit }
    }
    let collector = Collector(limit: limit)
    sphinx_alternatives(pointer, Unmanaged.passUnretained(collector).toOpaque()) { context, text, score in
      let collector = Unmanaged<Collector>.fromOpaque(context!).takeUnretainedValue()
      let words = String(cString: text!).split(separator: " ")
      let plain = words.compactMap {
        Segment(word: String($0), frames: 0..<0, acoustic: 0, posterior: 0).text
      }.joined(separator: " ")
      collector.seen += 1
      if !plain.isEmpty, !collector.found.contains(where: { $0.text == plain }) {
        collector.found.append((plain, Int(score)))
      }
      return collector.found.count < collector.limit && collector.seen < 20 * collector.limit
    }
    return collector.found
  }
}
