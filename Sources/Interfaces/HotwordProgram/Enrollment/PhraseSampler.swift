import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import Service
import Speakers

/// Finds the phrase of one model in clips or in a stream, and makes voice prints of it.
final class PhraseSampler {
  /// The prints of one clip.
  struct Prints {
    let word: VoicePrint
    /// What is said after the phrase; nil for nothing.
    var order: VoicePrint?
  }

  private let spotter: KeywordSpotter
  private let phrase: String
  private let wordLength: Int
  /// The score from which a clip counts as a recording of the phrase.
  private let floor: Double
  private let recent = HeardStream()

  /// The part of the model's threshold that is enough, because the clip is known to be a recording of the phrase.
  private static let thresholdShare = 0.1
  /// The level in dBFS below which the loudest part is silence.
  private static let silence = -55.0
  /// Decibels from a hotword down to the loudest part of the order after it.
  private static let orderDepth = 20.0
  /// The part of full-scale samples from which a clip is clipped.
  private static let clipping = 0.005

  init(_ model: HotwordModel) throws {
    spotter = try KeywordSpotter([(model, .standard)])
    phrase = model.phrase
    wordLength = AudioFormat.samples(model.decision.wordDuration)
    floor = spotter.keywords[0].threshold * Self.thresholdShare
  }

  /// The prints of a file that contains the phrase once: where the score is highest.
  func prints(of file: String) -> Result<Prints, ClipDefect> {
    let samples: [Int16]
    do throws(CaptureFault) {
      samples = try AudioFile.read(file)
    } catch {
      return .failure(.unreadable(message: error.message))
    }
    let level = loudest(samples[...])
    guard level >= Self.silence else { return .failure(.silent(level: level)) }
    let (score, end) = peak(samples)
    guard score >= floor else { return .failure(.notDetected(phrase: phrase, score: score)) }
    let word = max(0, end - wordLength)..<min(end, samples.count)
    let rest = samples.dropFirst(end + AudioFormat.samples(EnrolledVoices.slack))
    return print(samples, word: word).map { print in
      Prints(word: print, order: order(Array(rest), after: samples[word]))
    }
  }

  /// The phrase in a stream.
  struct Said {
    let print: Result<VoicePrint, ClipDefect>
    let range: Range<SampleIndex>
  }

  /// The end of the stream so far.
  var end: SampleIndex { recent.end }

  /// The print of the order that follows the hotword in `word` of the stream; nil for none.
  func order(after word: Range<SampleIndex>, until end: SampleIndex) -> VoicePrint? {
    let start = word.upperBound + AudioFormat.samples(EnrolledVoices.slack)
    guard start < end else { return nil }
    return order(recent.samples(in: start..<end), after: recent.samples(in: word)[...])
  }

  /// The print of `samples`; nil for too little, and for what is much quieter than the hotword before it: breath or noise.
  private func order(_ samples: [Int16], after word: ArraySlice<Int16>) -> VoicePrint? {
    guard loudest(samples[...]) >= loudest(word) - Self.orderDepth else { return nil }
    return VoicePrint(order: samples)
  }

  /// The hits in the next frame of a stream.
  func push(_ frame: AudioFrame) -> [Said] {
    if frame.read.gap > 0 {
      _ = spotter.skip(frame.read.gap)
      recent.lose(frame.read.gap)
    }
    guard frame.read.count > 0 else { return [] }
    return frame.samples.withUnsafeBufferPointer { samples in
      recent.append(samples)
      return spotter.hits(spotter.push(samples)).map { hit in
        let (samples, word) = recent.around(hit.start..<hit.end)
        return Said(print: print(samples, word: word), range: hit.start..<hit.end)
      }
    }
  }

  private func print(_ samples: [Int16], word: Range<Int>) -> Result<VoicePrint, ClipDefect> {
    let range = EnrolledVoices.widened(word).clamped(to: samples.indices)
    let full = samples[range].count { abs(Int($0)) >= 32_700 }
    let part = Double(full) / Double(max(1, range.count))
    guard part < Self.clipping else { return .failure(.clipped(part: part)) }
    guard let print = VoicePrint(samples, word: range) else { return .failure(.tooShort) }
    return .success(print)
  }

  /// The highest score, and the end of the phrase with that score.
  private func peak(_ samples: [Int16]) -> (score: Double, end: SampleIndex) {
    let frame = AudioFormat.frameLength
    let tail = spotter.tail * frame
    let padded = samples + [Int16](repeating: 0, count: tail + frame - samples.count % frame)
    var best = (score: 0.0, end: 0)
    spotter.reset()
    padded.withUnsafeBufferPointer { padded in
      for start in stride(from: 0, to: padded.count, by: frame) {
        _ = spotter.push(UnsafeBufferPointer(rebasing: padded[start..<start + frame]))
        if let step = spotter.score(of: 0), step.score > best.score { best = (step.score, step.end) }
      }
    }
    return best
  }

  /// The level of the loudest 50 ms in dBFS.
  private func loudest(_ samples: ArraySlice<Int16>) -> Double {
    let length = 5 * AudioFormat.frameLength
    var highest = 0.0
    for start in stride(from: samples.startIndex, to: samples.endIndex, by: length) {
      let part = samples[start..<min(start + length, samples.endIndex)]
      let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
      highest = max(highest, power)
    }
    return 10 * log10(max(highest, 1e-3) / (32_768 * 32_768))
  }
}
