import Detection
import PCM
import Platform

/// Tells who says the hotwords of one stream. One thread at a time uses it.
public protocol StreamVoices: AnyObject {
  /// A new stream begins.
  func reset()
  /// The next samples of the stream.
  func append(_ samples: UnsafeBufferPointer<Int16>)
  /// The enrolled voice that said `hit`, one of the samples so far; nil if unknown.
  func speaker(of hit: Hit) -> String?
  /// Whether an order sounds like an enrolled voice. Any thread calls it.
  var check: @Sendable (_ order: [Int16], _ name: String) -> Bool { get }
}

/// Detects the models that a client requests in its stream. One thread at a time uses it.
final class WakeListener {
  /// A hit, with the client's name of the model.
  struct Detected {
    let hit: Hit
    /// The index of its model in the catalog.
    let entry: Int
    let speaker: String?
    /// How near the speaker is, as far as the stream tells; 0 if not measured.
    let nearness: Float
  }

  private let catalog: WakeCatalog
  private let voices: (any StreamVoices)?
  private let distance: SpeakerDistance?
  private var choices: [WakeCatalog.Choice]
  private var converter: ChunkConverter?
  /// Created at the first audio, so that a client without audio costs nothing.
  private var spotter: KeywordSpotter?

  /// - Parameters:
  ///   - voices: nil without enrolled voices.
  ///   - measuresDistance: whether detections tell how near the speaker is.
  init(_ catalog: WakeCatalog, voices: (any StreamVoices)? = nil, measuresDistance: Bool = false) {
    self.catalog = catalog
    self.voices = voices
    distance = measuresDistance ? SpeakerDistance() : nil
    choices = catalog.standard
  }

  /// The indices of the selected models in the catalog.
  var hotwords: Set<Int> { Set(choices.map(\.entry)) }

  /// Selects the models; different ones begin a new stream.
  func select(_ choices: [WakeCatalog.Choice]) {
    if self.choices.map(\.entry) != choices.map(\.entry) { spotter = nil }
    self.choices = choices
  }

  func start() {
    converter = nil
    spotter?.reset()
    voices?.reset()
    distance?.reset()
  }

  /// The hits in the next bytes of the stream.
  func process(_ bytes: ArraySlice<UInt8>, _ shape: AudioShape) throws(DetectionFault) -> [Detected] {
    var hits: [Detected] = []
    if spotter == nil {
      spotter = try catalog.spotter(choices)
      voices?.reset()
      distance?.reset()
    }
    guard let spotter else { return [] }
    if let converter, converter.shape != shape {
      converter.finish { hits += self.push($0, to: spotter) }
      self.converter = nil
    }
    let converter = self.converter ?? ChunkConverter(shape)
    self.converter = converter
    converter.push(bytes) { hits += self.push($0, to: spotter) }
    return hits
  }

  /// Ends the stream, releases its memory and returns the remaining hits.
  func finish() -> [Detected] {
    guard let spotter, let converter else { return [] }
    var hits: [Detected] = []
    converter.finish { hits += self.push($0, to: spotter) }
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    for _ in 0..<spotter.tail {
      hits += self.hits(silence.withUnsafeBufferPointer { spotter.push($0) }, of: spotter)
    }
    hits += self.hits(spotter.finish(), of: spotter)
    self.converter = nil
    self.spotter = nil
    return hits
  }

  private func push(_ samples: UnsafeBufferPointer<Int16>, to spotter: KeywordSpotter) -> [Detected] {
    voices?.append(samples)
    distance?.append(samples)
    return hits(spotter.push(samples), of: spotter)
  }

  private func hits(_ count: Int, of spotter: KeywordSpotter) -> [Detected] {
    (0..<count).map { index in
      var hit = spotter.hit(index)
      let speaker = voices?.speaker(of: hit)
      let choice = choices[hit.model]
      hit.keyword = choice.name
      return Detected(
        hit: hit, entry: choice.entry, speaker: speaker,
        nearness: distance?.nearness(of: hit.start..<hit.end) ?? 0)
    }
  }
}
