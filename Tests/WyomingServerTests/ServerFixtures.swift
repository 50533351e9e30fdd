import Detection
import FrontEnd
import WyomingServer

/// The parts of a server under test.
enum Fixtures {
  static func catalog(_ names: [String], standard: [String] = []) throws -> WakeCatalog {
    let shape = try NetworkShape(channels: 1, dilations: [])
    let entries = try names.map { name in
      WakeCatalog.Entry(
        name: name,
        model: try HotwordModel(
          name: "model", phrase: "the \(name)", frontEnd: FrontEndSettings(), features: FeatureSettings(),
          networks: [NetworkWeights(zero: shape)], decision: DecisionSettings()),
        sensitivity: .standard)
    }
    return WakeCatalog(entries, standard: standard)
  }
}
