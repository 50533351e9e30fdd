import Configuration
import Detection
import PCM
import Platform
import Synchronization

/// What the service shows to a page that is open: its audio, scores and events, as ``items`` for one reader.
///
/// The service's consumer fills it. While nobody watches, only the events are added.
package final class LiveTap: @unchecked Sendable {
  /// A model that is listened for.
  package struct Model: Sendable, Equatable {
    package let name: String
    package let phrase: String
    /// 0…1.
    package var sensitivity: Double
    /// Scores from this one on are detections.
    package var threshold: Double

    package init(name: String, phrase: String, sensitivity: Double, threshold: Double) {
      self.name = name
      self.phrase = phrase
      self.sensitivity = sensitivity
      self.threshold = threshold
    }
  }

  /// ``framesPerBlock`` frames of the stream.
  package struct Block: Sendable {
    /// Where it ends in the stream.
    package var end: SampleIndex = 0
    package var samples: [Int16] = []
    /// One for each frame: whether there is speech, the level in dBFS, and the scores of the models.
    package var voiced: [Bool] = []
    package var levels: [Float] = []
    package var scores: [[Float]] = []

    package init() {}
  }

  package enum Item: Sendable {
    case block(Block)
    /// With the members `event` and `time`.
    case event(JSON)
    /// The models or their sensitivities have changed.
    case models
  }

  /// 0.1 s.
  package static let framesPerBlock = 10

  /// For one reader, which must take them.
  package let items = JobQueue<Item>()
  let scores = LiveScores()
  private let state: Mutex<(models: [Model], settings: ServiceSettings)>
  /// Belongs to the consumer.
  private var block = Block()

  package init(_ settings: ServiceSettings) { state = Mutex(([], settings)) }

  /// Turns blocks on or off.
  package func watch(_ isWatched: Bool) { scores.watch(isWatched) }

  package var models: [Model] { state.withLock { $0.models } }

  /// The settings in use: those of the last reload that succeeded.
  package var settings: ServiceSettings { state.withLock { $0.settings } }

  // MARK: For the consumer

  /// Stores the newest scores of a spotter, on the thread that uses it.
  package func put(scoresOf spotter: KeywordSpotter) {
    guard scores.isWatched else { return }
    for model in spotter.keywords.indices {
      if let step = spotter.score(of: model) { scores.put(step.score, of: model) }
    }
  }

  /// Takes the next frame of the stream, which ends at `end`.
  package func take(
    _ frame: UnsafeBufferPointer<Int16>, isVoiced: Bool, level: Float, end: SampleIndex, models count: Int
  ) {
    guard scores.isWatched else {
      if !block.samples.isEmpty { block = Block() }
      return
    }
    block.samples += frame
    block.voiced.append(isVoiced)
    block.levels.append(level)
    block.scores.append(scores.values(count))
    block.end = end
    guard block.levels.count == Self.framesPerBlock else { return }
    items.append(.block(block))
    block = Block()
  }

  package func note(_ event: JSON) { items.append(.event(event)) }

  /// The models of a spotter that no other thread uses.
  package func use(_ spotter: any HotwordSpotting, _ settings: ServiceSettings) {
    let keywords = (spotter as? KeywordSpotter)?.keywords ?? []
    let models = keywords.map {
      Model(
        name: $0.name, phrase: $0.phrase, sensitivity: $0.sensitivity.value, threshold: $0.threshold)
    }
    state.withLock { $0 = (models, settings) }
    items.append(.models)
  }

  func use(_ settings: ServiceSettings) { state.withLock { $0.settings = settings } }

  package func change(sensitivity: Double, threshold: Double, of model: Int) {
    state.withLock {
      guard $0.models.indices.contains(model) else { return }
      $0.models[model].sensitivity = sensitivity
      $0.models[model].threshold = threshold
    }
    items.append(.models)
  }
}
