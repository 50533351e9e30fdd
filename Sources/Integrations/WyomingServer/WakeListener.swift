import Detection
import PCM
import Platform

/// One stream of a client through the models that it asked for. One thread at a time.
final class WakeListener {
  private let catalog: WakeCatalog
  private var choices: [WakeCatalog.Choice]
  private var converter: ChunkConverter?
  /// Made when audio comes, so that a client which only asks costs nothing.
  private var spotter: KeywordSpotter?

  init(_ catalog: WakeCatalog) {
    self.catalog = catalog
    choices = catalog.standard
  }

  /// Listens for other models; what was heard so far is forgotten if they are others.
  func select(_ choices: [WakeCatalog.Choice]) {
    if self.choices.map(\.entry) != choices.map(\.entry) { spotter = nil }
    self.choices = choices
  }

  func start() {
    converter = nil
    spotter?.reset()
  }

  /// The hits in the next bytes of the stream, each with what the client calls its model.
  func process(_ bytes: ArraySlice<UInt8>, _ shape: AudioShape) throws(DetectionFault) -> [Hit] {
    var hits: [Hit] = []
    if spotter == nil { spotter = try catalog.spotter(choices) }
    guard let spotter else { return [] }
    if let converter, converter.shape != shape {
      converter.finish { hits += self.hits(spotter.push($0), of: spotter) }
      self.converter = nil
    }
    let converter = self.converter ?? ChunkConverter(shape)
    self.converter = converter
    converter.push(bytes) { hits += self.hits(spotter.push($0), of: spotter) }
    return hits
  }

  /// The hits in what was held back; the stream has ended, and holds no memory.
  func finish() -> [Hit] {
    guard let spotter, let converter else { return [] }
    var hits: [Hit] = []
    converter.finish { hits += self.hits(spotter.push($0), of: spotter) }
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    for _ in 0..<spotter.tail {
      hits += self.hits(silence.withUnsafeBufferPointer { spotter.push($0) }, of: spotter)
    }
    hits += self.hits(spotter.finish(), of: spotter)
    self.converter = nil
    self.spotter = nil
    return hits
  }

  private func hits(_ count: Int, of spotter: KeywordSpotter) -> [Hit] {
    (0..<count).map { index in
      var hit = spotter.hit(index)
      hit.keyword = choices[hit.model].name
      return hit
    }
  }
}
