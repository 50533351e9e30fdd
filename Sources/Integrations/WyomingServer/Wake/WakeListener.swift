import Detection
import PCM
import Platform

/// Detects the models that a client requests in its stream. One thread at a time uses it.
final class WakeListener {
  private let catalog: WakeCatalog
  private var choices: [WakeCatalog.Choice]
  private var converter: ChunkConverter?
  /// Created at the first audio, so that a client without audio costs nothing.
  private var spotter: KeywordSpotter?

  init(_ catalog: WakeCatalog) {
    self.catalog = catalog
    choices = catalog.standard
  }

  /// Selects the models; different ones begin a new stream.
  func select(_ choices: [WakeCatalog.Choice]) {
    if self.choices.map(\.entry) != choices.map(\.entry) { spotter = nil }
    self.choices = choices
  }

  func start() {
    converter = nil
    spotter?.reset()
  }

  /// The hits in the next bytes of the stream, each with the client's name of the model.
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

  /// Ends the stream, releases its memory and returns the remaining hits.
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
