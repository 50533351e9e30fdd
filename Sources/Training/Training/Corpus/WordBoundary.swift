import Glibc
import PCM
import Platform

/// Where the phrase lies in a recording of it.
package enum WordBoundary {
  /// Why a recording teaches nothing.
  package enum Flaw: String, Sendable, Error {
    case tooShort = "shorter than 0.2 s"
    case tooLong = "longer than 30 s"
    case silent = "silent"
    case clipped = "clipped throughout"
    case noWord = "no word stands out of its noise"
    case otherWord = "another word"
    case moreWords = "more than the phrase"
  }

  /// The samples of the phrase, by energy against the clip's own noise floor.
  ///
  /// Speech is where the level of 10 ms frames, smoothed over 30 ms, exceeds the floor (their 10th percentile)
  /// by a quarter of the range up to the 95th, at least 6 dB; pauses up to 0.35 s join it. Of several regions the one
  /// with the most energy is the phrase, so that clicks do not count. `longest` seconds bound its length.
  package static func find(_ samples: [Int16], longest: Double = 2.5) throws(Flaw) -> Range<Int> {
    let frame = AudioFormat.frameLength
    guard samples.count >= AudioFormat.samples(0.2) else { throw .tooShort }
    guard samples.count <= AudioFormat.samples(30) else { throw .tooLong }
    let count = samples.count / frame
    var levels = [Float](repeating: 0, count: count)
    var clipped = 0
    for index in 0..<count {
      // High-passed by a first difference's slow cousin: hum and wind are not speech.
      var sum: Float = 0
      var last: Float = 0
      for sample in index * frame..<(index + 1) * frame {
        let value = Float(samples[sample])
        let passed = value - 0.9 * last
        last = value
        sum += passed * passed
        if abs(Int(samples[sample])) > 32_500 { clipped += 1 }
      }
      levels[index] = 10 * log10f(sum / Float(frame) + 1)
    }
    guard Double(clipped) < 0.2 * Double(samples.count) else { throw .clipped }
    let smooth = levels.indices.map { index in
      (levels[max(0, index - 1)] + levels[index] + levels[min(count - 1, index + 1)]) / 3
    }
    let sorted = smooth.sorted()
    let floor = sorted[count / 10]
    let top = sorted[min(count - 1, count * 19 / 20)]
    guard top > 14 else { throw .silent }
    let threshold = max(floor + max(6, 0.3 * (top - floor)), top - 35)
    var regions: [(start: Int, end: Int, energy: Float)] = []
    for index in 0..<count where smooth[index] > threshold {
      let energy = powf(10, smooth[index] / 10)
      if let last = regions.last, index - last.end <= 35 {
        regions[regions.count - 1].end = index + 1
        regions[regions.count - 1].energy += energy
      } else {
        regions.append((index, index + 1, energy))
      }
    }
    guard
      let word = regions.filter({ $0.end - $0.start >= 12 }).max(by: { $0.energy < $1.energy })
    else {
      // A clip cut to the word has no floor: all of it is the phrase.
      if AudioFormat.seconds(samples.count) <= longest, top - floor < 12, top > 30 {
        return 0..<samples.count
      }
      throw .noWord
    }
    let start = max(0, word.start - 2) * frame
    let end = min(samples.count, (word.end + 2) * frame)
    return max(start, end - AudioFormat.samples(longest))..<end
  }
}
