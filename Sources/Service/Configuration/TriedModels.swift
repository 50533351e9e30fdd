import Platform
import Synchronization

/// Models that a service listens for besides those of its settings, until it ends. Any thread may use it.
package final class TriedModels: Sendable {
  private let paths = Mutex<[String]>([])

  package init() {}

  /// Adds the model of a file, in place of one with the same name.
  package func add(_ path: String) {
    paths.withLock { paths in
      paths.removeAll { Self.name($0) == Self.name(path) }
      paths.append(path)
    }
  }

  /// The settings with these models, each in place of one with the same name, without those whose file is gone.
  package func added(to loaded: LoadedSettings) -> LoadedSettings {
    var loaded = loaded
    for path in paths.withLock({ $0 }) where Files.exists(path) {
      loaded.replaceModels { models in
        let kept = models.first { Self.name($0) == Self.name(path) }
        let sensitivity = kept.flatMap(Self.sensitivity) ?? ""
        models.removeAll { Self.name($0) == Self.name(path) }
        models.append(path + sensitivity)
      }
    }
    return loaded
  }

  /// The name of the model in `M`, `M:0.7` or a path.
  private static func name(_ model: String) -> String {
    var name = model.split(separator: "/").last.map(String.init) ?? model
    if let sensitivity = sensitivity(name) { name.removeLast(sensitivity.count) }
    return name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
  }

  private static let suffix = ".safetensors"

  /// `:0.7` at the end of a model; nil if it has none.
  private static func sensitivity(_ model: String) -> String? {
    guard let colon = model.lastIndex(of: ":"), Double(model[model.index(after: colon)...]) != nil else {
      return nil
    }
    return String(model[colon...])
  }
}
