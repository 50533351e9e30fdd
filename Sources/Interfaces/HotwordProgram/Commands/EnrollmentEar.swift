import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import Service
import Speakers

/// Finds the phrase of one model in clips or in a stream, and takes its print.
final class EnrollmentEar {
  private let spotter: KeywordSpotter
  private let phrase: String
  private let wordLength: Int
  /// The score from which a clip is believed to hold the phrase.
  private let floor: Double

  /// The part of the model's threshold that is enough where the phrase is known to be meant.
  private static let belief = 0.1
  /// dBFS below which the loudest part counts as silence, and the part of full-scale samples that clips.
  private static let silence = -55.0
  private static let clipping = 0.005

  init(_ model: HotwordModel) throws {
    spotter = try KeywordSpotter([(model, .standard)])
    phrase = model.phrase
    wordLength = AudioFormat.samples(model.decision.wordDuration)
    floor = spotter.keywords[0].threshold * Self.belief
  }

  /// The print of the phrase in a file that holds it once, with what is loudest of silence, clipping and other words.
  func hear(_ file: String) -> Result<VoicePrint, ClipDefect> {
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
    return take(samples, word: max(0, end - wordLength)..<min(end, samples.count))
  }

  /// Takes the print of every hit in a stream until `step` has enough or the stream ends.
  func listen(_ source: any AudioSource, step: (Result<VoicePrint, ClipDefect>) -> Bool) throws {
    let reader = FrameReader(source)
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    let ring = HeardStream()
    spotter.reset()
    while true {
      let read = try reader.next(into: frame)
      if read.gap > 0 {
        _ = spotter.skip(read.gap)
        ring.lose(read.gap)
      }
      if read.count > 0 {
        ring.append(UnsafeBufferPointer(frame))
        for hit in spotter.hits(spotter.push(UnsafeBufferPointer(frame))) {
          let (samples, word) = ring.around(hit.start..<hit.end)
          guard step(take(samples, word: word)) else { return }
        }
      }
      if read.isEnd { return }
    }
  }

  private func take(_ samples: [Int16], word: Range<Int>) -> Result<VoicePrint, ClipDefect> {
    let range = EnrolledVoices.widened(word).clamped(to: samples.indices)
    let full = samples[range].count { abs(Int($0)) >= 32_700 }
    let part = Double(full) / Double(max(1, range.count))
    guard part < Self.clipping else { return .failure(.clipped(part: part)) }
    guard let print = VoicePrint(samples, word: range) else { return .failure(.tooShort) }
    return .success(print)
  }

  /// The highest score, and where the phrase ended that got it.
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
