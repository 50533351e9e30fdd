import Detection
import FrontEnd
import PCM

/// A phrase that a spotter found.
package struct SpottedHotword: Sendable {
  /// The index of its model.
  package var model: Int
  package var start: SampleIndex
  package var end: SampleIndex
  /// 0…1.
  package var score: Double

  package init(model: Int, start: SampleIndex, end: SampleIndex, score: Double) {
    self.model = model
    self.start = start
    self.end = end
    self.score = score
  }
}

/// What the listening thread needs of a ``KeywordSpotter``, so that tests do without models.
///
/// All of it is called on the listening thread alone; see ``KeywordSpotter``.
package protocol HotwordSpotting: AnyObject {
  /// The name of each model, and the score at which it makes a hit.
  var models: [(name: String, threshold: Double)] { get }
  var activity: FrameActivity { get }
  func push(_ frame: UnsafeBufferPointer<Int16>) -> Int
  func hotword(_ index: Int) -> SpottedHotword
  func step(of model: Int) -> (score: Double, end: SampleIndex)?
  func finish() -> Int
  func skip(_ gap: Int) -> Int
}

extension KeywordSpotter: HotwordSpotting {
  package var models: [(name: String, threshold: Double)] { keywords.map { ($0.name, $0.threshold) } }

  package func push(_ frame: UnsafeBufferPointer<Int16>) -> Int { push(frame, reference: nil) }

  package func hotword(_ index: Int) -> SpottedHotword {
    let (model, decision) = decision(index)
    return SpottedHotword(model: model, start: decision.start, end: decision.end, score: decision.score)
  }

  package func step(of model: Int) -> (score: Double, end: SampleIndex)? {
    score(of: model).map { ($0.score, $0.end) }
  }
}
