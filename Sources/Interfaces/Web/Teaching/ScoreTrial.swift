import AudioCapture
import Detection
import PCM
import Platform

/// The scores of a model for a recording, by the same chain as the service's.
struct ScoreTrial {
  /// The highest score of each ``column`` of the recording, at the time when the score was known.
  private var scores: [Double] = []
  private var hits: [(at: Double, score: Double)] = []
  private let threshold: Double
  private let seconds: Double

  /// 20 ms.
  private static let column = 2 * AudioFormat.frameLength

  init(_ model: HotwordModel, _ sensitivity: Sensitivity, _ samples: [Int16]) throws(DetectionFault) {
    let spotter = try KeywordSpotter([(model, sensitivity)])
    threshold = spotter.keywords[0].threshold
    seconds = AudioFormat.seconds(samples.count)
    let frame = AudioFormat.frameLength
    // The networks look ahead, so a word at the end is scored after it.
    let padding = spotter.tail * frame + Self.column - samples.count % Self.column
    let padded = samples + [Int16](repeating: 0, count: padding)
    padded.withUnsafeBufferPointer { padded in
      for start in stride(from: 0, to: padded.count - frame + 1, by: frame) {
        if start % Self.column == 0 { scores.append(scores.last ?? 0) }
        let count = spotter.push(UnsafeBufferPointer(rebasing: padded[start..<start + frame]))
        note(spotter, count)
      }
    }
    note(spotter, spotter.finish())
  }

  private mutating func note(_ spotter: KeywordSpotter, _ count: Int) {
    if let step = spotter.score(of: 0) { scores[scores.count - 1] = step.score }
    for index in 0..<count {
      let hit = spotter.hit(index)
      hits.append((AudioFormat.seconds(hit.end), hit.score))
    }
  }

  var json: JSON {
    [
      "seconds": .rounded(seconds), "step": .number(AudioFormat.seconds(Self.column)),
      "threshold": .rounded(threshold, digits: 4),
      "scores": .array(scores.map { .rounded($0, digits: 4) }),
      "detections": .array(hits.map { ["at": .rounded($0.at), "score": .rounded($0.score, digits: 4)] }),
    ]
  }
}
