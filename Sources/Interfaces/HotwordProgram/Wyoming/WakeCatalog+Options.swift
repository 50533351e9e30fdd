import CommandLineParsing
import Detection
import Glibc
import Platform
import WyomingServer

extension WakeCatalog {
  /// The models that the options of a server name.
  ///
  /// - Throws: ``ServerFault/noModels(folders:)``, or the fault of an option or model.
  init(_ arguments: Arguments) throws {
    let sensitivity = try Sensitivity(try arguments.number("--sensitivity", in: 0...1) ?? 0.5)
    let threshold = try arguments.number("--threshold", in: 0...1)
    let refractory = try arguments.number("--refractory-seconds", in: 0...60)
    if let level = try arguments.integer("--trigger-level", in: 1...1_000), level > 1 {
      Log.note("--trigger-level has no effect: scores are already smoothed over several steps")
    }
    let folders = arguments.all("--custom-model-dir")
    for folder in folders where !Files.isDirectory(folder) {
      throw SystemFault.cannotRead(path: folder, code: ENOENT)
    }
    let store = ModelStore(folders: folders + ModelStore.standard().folders)

    func entry(_ reference: ModelReference, _ path: String) throws -> WakeCatalog.Entry {
      var model = try HotwordModel(reading: path)
      if let threshold { model.decision.threshold = min(max(threshold, 0.001), 0.999) }
      if let refractory { model.decision.refractory = refractory }
      let own = threshold == nil ? reference.sensitivity ?? sensitivity : .standard
      return WakeCatalog.Entry(name: Self.name(of: path), model: model, sensitivity: own)
    }

    let standard = try arguments.all("--preload-model").map { try ModelReference($0) }
    var references = try arguments.all("--model").map { try ModelReference($0) }
    let paths = try references.map { try store.path(of: $0) }
    for (index, path) in paths.enumerated() where paths[..<index].contains(path) {
      throw DetectionFault.repeatedModel(references[index].name)
    }
    let offersAll = references.isEmpty
    references += standard
    var entries: [WakeCatalog.Entry] = []
    for reference in references {
      let made = try entry(reference, store.path(of: reference))
      if !entries.contains(where: { $0.name == made.name }) { entries.append(made) }
    }
    if offersAll {
      for item in store.list() where !entries.contains(where: { $0.name == item.name }) {
        do {
          let found = try entry(ModelReference(name: item.name), item.path)
          if !found.model.isPersonal { entries.append(found) }
        } catch let fault as DetectionFault {
          Log.warning(fault.message)
        }
      }
      entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
    if entries.isEmpty { throw ServerFault.noModels(folders: store.folders) }
    let names = try standard.map { Self.name(of: try store.path(of: $0)) }
    self.init(entries, standard: names)
  }

  /// The name of a model's file without its suffix.
  private static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(ModelStore.suffix) ? String(file.dropLast(ModelStore.suffix.count)) : file
  }
}
