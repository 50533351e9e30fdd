import Clips
import Networking
import Platform
import YAMLFormat

/// One key's value, read as the type that the key takes.
struct SettingReader {
  let file: String
  let entry: YAMLNode.Entry

  /// Calls `set` with each key of `file`; an invalid one is skipped.
  ///
  /// - Parameter text: what the file shall contain, to check it before it is written; nil to read the file.
  /// - Returns: all faults of the file.
  static func read(
    _ file: String, text: [UInt8]? = nil, set: (SettingReader) throws(ConfigurationFault) -> Void
  ) -> [any Fault] {
    let entries: [YAMLNode.Entry]
    do {
      entries = try self.entries(of: file, text)
    } catch let fault as any Fault {
      return [fault]
    } catch {
      fatalError("unreachable: \(error)")
    }
    var faults: [any Fault] = []
    for entry in entries {
      do throws(ConfigurationFault) {
        try set(SettingReader(file: file, entry: entry))
      } catch {
        faults.append(error)
      }
    }
    return faults
  }

  /// The keys of `file`; none if it has only comments.
  private static func entries(of file: String, _ text: [UInt8]?) throws -> [YAMLNode.Entry] {
    let bytes = try text ?? Files.read(file, limit: YAMLReader.byteLimit)
    guard bytes.contains(where: { $0 > 0x20 }) else { throw ConfigurationFault.notSettings(file: file) }
    let root: YAMLNode
    do {
      root = try YAMLReader.read(bytes, file: file)
    } catch  where error.problem == .empty {
      return []
    } catch {
      throw ConfigurationFault.notYAML(error)
    }
    guard let entries = root.mapping else { throw ConfigurationFault.notSettings(file: file) }
    return entries
  }

  /// The fault of a key that is not one of `keys`.
  func unknown(among keys: [String]) -> ConfigurationFault {
    .unknownKey(
      entry.key, file: file, at: entry.keyPosition,
      suggestion: Suggestion.nearest(to: entry.key, among: keys))
  }

  func text() throws(ConfigurationFault) -> String {
    guard let text = entry.value.text, !text.isEmpty, !entry.value.isNull else { throw bad("a text") }
    return text
  }

  /// A file or folder; a `~` at its beginning is the user's home folder.
  func path() throws(ConfigurationFault) -> String { UserFolders.expanded(try text()) }

  func texts(orNone: Bool = false) throws(ConfigurationFault) -> [String] {
    if orNone, entry.value.sequence?.isEmpty ?? false { return [] }
    if let text = entry.value.text, !entry.value.isNull { return [text] }
    let texts = entry.value.sequence?.compactMap(\.text) ?? []
    guard !texts.isEmpty, texts.count == entry.value.sequence?.count else { throw bad("a list of texts") }
    return texts
  }

  func number(in range: ClosedRange<Double>) throws(ConfigurationFault) -> Double {
    guard let number = entry.value.json.number, range.contains(number) else {
      throw bad("a number from \(JSON.number(range.lowerBound)) to \(JSON.number(range.upperBound))")
    }
    return number
  }

  func truth() throws(ConfigurationFault) -> Bool {
    guard let truth = entry.value.json.bool else { throw bad("true or false") }
    return truth
  }

  /// The name of a broker, whose site is not empty.
  func broker() throws(ConfigurationFault) -> String {
    let name = try text()
    guard ServiceSettings.hasEmptySite(name) else { return name }
    let before = name.firstRange(of: ",site=").map {
      name.unicodeScalars.distance(from: name.startIndex, to: $0.lowerBound) + 1
    }
    let position = entry.value.position(ofCharacter: before ?? 0)
    throw .emptySite(place: ConfigurationFault.Place(file: file, position: position))
  }

  /// The name of a satellite.
  func satelliteName() throws(ConfigurationFault) -> String {
    let name = try text()
    guard SatelliteSettings.isName(name) else { throw bad(SatelliteSettings.expectedName) }
    return name
  }

  /// A text; nil for false and an empty one for true.
  func textOrTruth() throws(ConfigurationFault) -> String? {
    if let truth = entry.value.json.bool { return truth ? "" : nil }
    return try text()
  }

  /// The device of `alsa:NAME`; nil for `none`.
  func deviceOrNone() throws(ConfigurationFault) -> String? {
    if entry.value.text == "none" { return nil }
    guard let name = ServiceSettings.device(try text()) else { throw bad("alsa:NAME or none") }
    return name
  }

  /// The address of a socket in the file system.
  func socket() throws(ConfigurationFault) -> String {
    let address = try text()
    guard SatelliteSettings.isSocket(address) else { throw bad(SatelliteSettings.expectedSocket) }
    return address
  }

  func device() throws(ConfigurationFault) -> String {
    guard let name = ServiceSettings.device(try text()) else { throw bad("alsa:NAME") }
    return name
  }

  func limit() throws(ConfigurationFault) -> ClipLimit {
    guard let limit = entry.value.text.flatMap(ClipLimit.init) else { throw bad(ClipLimit.expected) }
    return limit
  }

  func address() throws(ConfigurationFault) -> HTTPAddress {
    guard let address = entry.value.text.flatMap(HTTPAddress.init) else {
      throw bad(HTTPAddress.expected)
    }
    return address
  }

  /// Where the page for browsers is served: the standard address for true, nil for false.
  func webEndpoint() throws(ConfigurationFault) -> HTTPEndpoint? {
    if let truth = entry.value.json.bool { return truth ? WebAccess.standard.endpoint : nil }
    guard let endpoint = entry.value.text.flatMap(HTTPEndpoint.init) else { throw bad(WebAccess.expected) }
    return endpoint
  }

  func hostNames() throws(ConfigurationFault) -> [String] {
    let names = try texts()
    guard names.allSatisfy(WebAccess.isName) else { throw bad(WebAccess.expectedName) }
    return names
  }

  func level() throws(ConfigurationFault) -> Log.Level {
    guard let level = entry.value.text.flatMap(Log.Level.init(name:)) else {
      throw bad(ServiceSettings.levels)
    }
    return level
  }

  func choice<Choice: CaseIterable & RawRepresentable>() throws(ConfigurationFault) -> Choice
  where Choice.RawValue == String {
    guard let choice = entry.value.text.flatMap(Choice.init(rawValue:)) else {
      throw bad(ServiceSettings.alternatives(Choice.allCases.map(\.rawValue)))
    }
    return choice
  }

  private func bad(_ expected: String) -> ConfigurationFault {
    .badValue(key: entry.key, file: file, at: entry.value.position, expected: expected)
  }
}
