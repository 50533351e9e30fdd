import Platform
import YAMLFormat

/// The sentences of one language, as the package home-assistant-intents and Home Assistant's `custom_sentences` have them.
public struct SentenceSet: Sendable {
  private static let package = "home_assistant_intents"
  private static let limit = 16 << 20

  /// All sentences.
  let text: JSON
  /// The user's files, each with its name.
  let own: [JSON]

  public init(text: JSON, own: [JSON] = []) {
    self.text = text
    self.own = own
  }

  /// Reads the package.
  ///
  /// - Parameters:
  ///   - language: such as `en` or `de-CH`; of `en-GB`, the sentences in `en` are used.
  ///   - folder: the folder that contains the package; nil to search ``installedFolders()``.
  ///   - own: a folder of the user's files in YAML, such as `custom_sentences/en`.
  public init(language: String, in folder: String?, own: String?) throws(HomeAssistantFault) {
    let folders = folder.map { [$0] } ?? Self.installedFolders()
    let names = [language, String(language.prefix { $0 != "-" && $0 != "_" })]
    let packages = folders.flatMap { ["\($0)/\(Self.package)", $0] }
    let found = packages.lazy.flatMap { package in names.map { (package, $0) } }
      .first { Files.exists("\($0)/data/\($1).json") }
    guard let (package, name) = found else {
      for package in packages {
        let known = ((try? Files.names(in: "\(package)/data")) ?? []).filter { $0.hasSuffix(".json") }
        guard known.contains("en.json") else { continue }
        throw .noLanguage(language, package: package, known: known.map { String($0.dropLast(5)) }.sorted())
      }
      throw .noSentences(language: language, searched: folders.isEmpty ? ["Python's folders"] : folders)
    }
    text = try Self.read("\(package)/data/\(name).json")
    self.own = try own.map { (folder) throws(HomeAssistantFault) in try Self.ownFiles(in: folder) } ?? []
  }

  /// The folders of installed Python packages on this machine.
  static func installedFolders() -> [String] {
    ["/usr/local/lib", "/usr/lib"].flatMap { folder in
      ((try? Files.names(in: folder)) ?? []).filter { $0.hasPrefix("python3") }.sorted().reversed()
        .flatMap { ["\(folder)/\($0)/site-packages", "\(folder)/\($0)/dist-packages"] }
    }.filter { Files.isDirectory("\($0)/\(package)") }
  }

  private static func read(_ path: String) throws(HomeAssistantFault) -> JSON {
    let json: JSON
    do throws(SystemFault) {
      json = try JSON(parsing: try Files.read(path, limit: limit), what: path)
    } catch {
      throw .system(error)
    }
    guard json["intents"]?.members != nil else { throw .badSentences(file: path) }
    return json
  }

  private static func ownFiles(in folder: String) throws(HomeAssistantFault) -> [JSON] {
    let names: [String]
    do throws(SystemFault) {
      names = try Files.names(in: folder).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
    } catch {
      throw .system(error)
    }
    var files: [JSON] = []
    for name in names { files.append(try ownFile("\(folder)/\(name)")) }
    return files
  }

  private static func ownFile(_ path: String) throws(HomeAssistantFault) -> JSON {
    let bytes: [UInt8]
    do throws(SystemFault) { bytes = try Files.read(path, limit: limit) } catch { throw .system(error) }
    let json: JSON
    do throws(YAMLFault) {
      json = try YAMLReader.read(bytes, file: path).json
    } catch {
      throw .badOwnSentences(error)
    }
    let keys = ["intents", "lists", "expansion_rules", "skip_words", "responses"]
    guard keys.contains(where: { json[$0] != nil }) else { throw .badOwnFile(file: path) }
    return json
  }
}
