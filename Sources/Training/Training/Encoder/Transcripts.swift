import AudioCapture
import Detection
import Evaluation
import PCM
import Platform

/// A list of transcripts with one line `PATH<tab>WORDS` or `PATH<tab>WORDS<tab>SPEAKER` each, where PATH is a file,
/// or a folder whose files all contain these words.
package struct Transcripts: Sendable {
  /// One recording.
  package struct Line: Sendable, Equatable {
    package let path: String
    /// The speaker; see ``AudioFolder``.
    package let speaker: String
    package let words: [String]
  }

  package let lines: [Line]

  /// Reads the list at `path`.
  ///
  /// - Parameter folders: where its paths are looked up, besides its own folder.
  /// - Throws: `SystemFault`, ``TrainingFault/badTranscript(path:line:)``,
  ///   ``TrainingFault/nothingReadable(folder:use:)``.
  package init(_ path: String, in folders: [String]) throws {
    let folders = folders + [path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."]
    let text = String(decoding: try Files.read(path, limit: 16 << 20), as: UTF8.self)
    var lines: [Line] = []
    for (number, line) in text.split(separator: "\n").enumerated() {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count), !parts[0].isEmpty else {
        throw TrainingFault.badTranscript(path: path, line: number + 1)
      }
      let words = Self.words(parts[1])
      let places = folders.map { "\($0)/\(parts[0])" }
      let place = places.first(where: Files.exists) ?? places[0]
      if Files.isDirectory(place) {
        lines += try AudioFolder(place, use: "speech").clips.map {
          Line(path: $0.path, speaker: $0.group, words: words)
        }
      } else {
        let speaker = parts.count == 3 ? String(parts[2]) : AudioFolder.speakerOrFile(of: place)
        lines.append(Line(path: place, speaker: speaker, words: words))
      }
    }
    self.lines = lines
  }

  /// Returns the words of a text without punctuation, in lower case.
  private static func words(_ text: some StringProtocol) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber && !"'’".contains($0) }.compactMap { word in
      var letters = word.map { $0 == "’" ? "'" : $0 }[...]
      while letters.first == "'" { letters.removeFirst() }
      while letters.last == "'" { letters.removeLast() }
      return letters.isEmpty ? nil : String(letters)
    }
  }
}

/// Recordings with aligned sounds.
package struct AlignedSpeech: Sendable {
  package struct Recording: Sendable {
    package let clip: LabelledClip
    package let line: Transcripts.Line
  }

  package private(set) var recordings: [Recording] = []

  /// A mean log posterior below this means that the transcript does not match.
  private static let leastScore = -3.0
  private static let mostSeconds = 40.0

  /// Aligns `transcripts` with pronunciations from the dictionary, or from the synthesizer for words that it
  /// lacks.
  ///
  /// - Throws: ``TrainingFault/noSynthesizer(_:)``.
  package init(
    _ transcripts: [Transcripts.Line], _ aligner: PhonemeEncoder, threads: Int
  ) throws(TrainingFault) {
    let synthesizer = try Synthesizer()
    let dictionary = Pronunciations()
    var known: [String: [Phoneme]] = [:]
    for word in Set(transcripts.flatMap(\.words)).sorted() {
      known[word] = dictionary?.phonemes(of: word) ?? synthesizer.phonemes(of: word)
    }
    let sounds = known
    self.init(transcripts, aligner, pronounce: { sounds[$0] ?? [] }, threads: threads)
  }

  /// Aligns `transcripts` by the posteriors of `aligner`. Excludes unreadable recordings and poor matches.
  package init(
    _ transcripts: [Transcripts.Line], _ aligner: PhonemeEncoder, pronounce: (String) -> [Phoneme],
    threads: Int
  ) {
    let sounds = transcripts.map { $0.words.map(pronounce) }
    recordings = Parallel.map(transcripts.count, threads: threads) { index -> Recording? in
      let line = transcripts[index]
      guard let source = try? FileSource(line.path),
        let samples = try? source.samples(AudioFormat.samples(Self.mostSeconds)),
        let renderer = try? FeatureRenderer(frontEnd: aligner.frontEnd, features: aligner.features),
        let features = try? renderer.render(samples),
        let alignment = Alignment(
          NetworkScorer.logits(aligner.network, features: features), outputs: aligner.phonemes.count,
          words: sounds[index]),
        alignment.score > Self.leastScore
      else { return nil }
      let spans = Self.spans(alignment.path, aligner, renderer)
      return Recording(clip: LabelledClip(samples: samples, phonemes: spans), line: line)
    }.compactMap { $0 }
  }

  private static func spans(
    _ path: [Phoneme], _ aligner: PhonemeEncoder, _ renderer: FeatureRenderer
  ) -> [Phoneme.Span] {
    let stride = aligner.network.shape.stride
    var spans: [Phoneme.Span] = []
    for (step, phoneme) in path.enumerated() {
      let last = (step + 1) * stride - 1 - aligner.lookAhead
      let end = max(0, renderer.end(ofVector: last))
      let begin = max(0, renderer.end(ofVector: last - stride))
      if let before = spans.last, before.phoneme == phoneme {
        spans[spans.count - 1].samples = before.samples.lowerBound..<end
      } else {
        spans.append(Phoneme.Span(phoneme: phoneme, samples: begin..<end))
      }
    }
    return spans
  }
}
