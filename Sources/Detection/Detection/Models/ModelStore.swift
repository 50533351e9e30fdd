import Platform

/// The folders in which models are searched by name.
public struct ModelStore: Sendable, Equatable {
  /// In the order of search.
  public let folders: [String]

  /// The suffix of model files.
  public static let suffix = ".safetensors"

  public init(folders: [String]) { self.folders = folders }

  /// `./Models`, the user's data folder, `/var/lib/hotword/models`, and `hotword/models` in `/usr/local/share` and
  /// `/usr/share`; for a program that is installed elsewhere also the models beside it, for one in the `.build` of a checkout
  /// the checkout's.
  ///
  /// - Parameters:
  ///   - shared: the folder `share/hotword` of the program's installation; nil for none.
  ///   - checkout: the checkout that the program belongs to; nil for none.
  ///   - environment: looks up `XDG_DATA_HOME` and `HOME`.
  public static func standard(
    shared: String? = Executable.sharedFolder(), checkout: String? = Executable.checkout(),
    environment: (String) -> String? = UserFolders.variable
  ) -> ModelStore {
    let folders = [
      "./Models", userFolder(environment: environment), "/var/lib/hotword/models",
      "/usr/local/share/hotword/models", "/usr/share/hotword/models",
    ]
    let own = [shared.map { "\($0)/models" }, checkout.map { "\($0)/Models" }].compactMap(\.self)
    return ModelStore(folders: folders + own.filter { !folders.contains($0) })
  }

  /// The user's own models: `$XDG_DATA_HOME/hotword/models`, or below `~/.local/share`.
  public static func userFolder(
    environment: (String) -> String? = UserFolders.variable
  ) -> String {
    UserFolders.data("models", environment: environment)
  }

  /// A model's file.
  public struct Entry: Sendable, Equatable {
    /// The file's name without its suffix.
    public let name: String
    public let path: String
  }

  /// All models, sorted by name; of models with the same name the first one found. No file is opened.
  public func list() -> [Entry] {
    var entries: [String: Entry] = [:]
    for folder in folders {
      for file in (try? Files.names(in: folder)) ?? [] where file.hasSuffix(Self.suffix) {
        let name = String(file.dropLast(Self.suffix.count))
        guard entries[name] == nil, !Files.isDirectory("\(folder)/\(file)") else { continue }
        entries[name] = Entry(name: name, path: "\(folder)/\(file)")
      }
    }
    return entries.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The path of the model that `reference` names; a path is returned as it is.
  ///
  /// - Throws: ``DetectionFault/unknownModel(name:available:folders:)``.
  public func path(of reference: ModelReference) throws(DetectionFault) -> String {
    if reference.isPath { return reference.name }
    let entries = list()
    guard let entry = entries.first(where: { $0.name == reference.name }) else {
      throw .unknownModel(name: reference.name, available: entries.map(\.name), folders: folders)
    }
    return entry.path
  }

  /// Reads the model that `reference` names.
  public func model(_ reference: ModelReference) throws(DetectionFault) -> HotwordModel {
    try HotwordModel(reading: path(of: reference))
  }
}
