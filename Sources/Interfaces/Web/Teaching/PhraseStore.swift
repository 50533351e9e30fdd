import Corpora
import Detection
import Glibc
import Platform

/// The folder of the phrases that are being taught.
///
/// Each has a folder of its model's name with `phrase.json`, `recordings` in the layout of `hotword record`, and `model` with a
/// model that is not installed yet.
struct PhraseStore: Sendable {
  struct Phrase: Sendable, Equatable {
    /// The name of its model.
    let name: String
    let text: String
    let language: String
    let pronunciations: [String]

    var json: JSON {
      [
        "name": .string(name), "phrase": .string(text), "language": .string(language),
        "pronunciations": .array(pronunciations.map { .string($0) }),
      ]
    }
  }

  let folder: String

  /// Whether `text` can be the name of a phrase: that of a model, of up to 64 bytes without spaces.
  static func isName(_ text: String) -> Bool {
    HotwordModel.isName(text) && text.utf8.count <= 64 && !text.contains(" ")
  }

  /// All phrases by their names.
  func all() throws -> [Phrase] {
    guard Files.isDirectory(folder) else { return [] }
    return try Files.names(in: folder).sorted().compactMap(phrase)
  }

  /// The phrase of a model's name; nil if there is none.
  func phrase(_ name: String) -> Phrase? {
    guard Self.isName(name), let bytes = try? Files.read(file(name), limit: 1 << 16),
      let json = try? JSON(parsing: bytes, what: "a phrase"), json["name"]?.string == name,
      let text = json["phrase"]?.string
    else { return nil }
    return Phrase(
      name: name, text: text, language: json["language"]?.string ?? "en",
      pronunciations: (json["pronunciations"]?.array ?? []).compactMap(\.string))
  }

  func save(_ phrase: Phrase) throws {
    try Files.createFolder(path(phrase.name), mode: 0o700)
    try Files.write(Array("\(phrase.json)\n".utf8), to: file(phrase.name), mode: 0o600)
  }

  /// Deletes a phrase with its recordings and its model that is not installed.
  func remove(_ phrase: Phrase) throws {
    let path = path(phrase.name)
    // The phrase is gone with its first file, whatever happens to the others.
    for file in [file(phrase.name)] + (try Files.list(below: path)) {
      guard unlink(file) == 0 || errno == ENOENT else {
        throw SystemFault.cannotWrite(path: file, code: errno)
      }
    }
    for folder in ["recordings/clips", "recordings", "model", ""] { rmdir("\(path)/\(folder)") }
  }

  /// The recordings of a phrase, and where those of `speaker` are added.
  func recordings(of phrase: Phrase, speaker: String) throws -> RecordingFolder {
    try Files.createFolder(path(phrase.name), mode: 0o700)
    return try RecordingFolder(
      recordingsPath(phrase), speaker: speaker, phrase: phrase.text, locale: phrase.language)
  }

  func recordingsPath(_ phrase: Phrase) -> String { "\(path(phrase.name))/recordings" }

  /// The file of the model of this name that is not installed.
  func candidate(_ name: String) -> String { "\(path(name))/model/\(name)\(ModelStore.suffix)" }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func file(_ name: String) -> String { "\(path(name))/phrase.json" }
}
