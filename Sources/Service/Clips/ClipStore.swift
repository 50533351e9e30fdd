import AudioCapture
import Glibc
import Platform

/// A folder of clips.
///
/// New clips are in the folder itself, labelled ones in `KEYWORD/false-alarms`, `KEYWORD/missed` and so on, where nothing
/// deletes them. Files with other names are neither listed nor changed. Only the owner can read the folders that are created
/// here and the clips.
public struct ClipStore: Sendable, Equatable {
  public let folder: String

  /// A clip in the folder.
  public struct Entry: Sendable, Equatable {
    public let clip: Clip
    /// nil for a clip without a label.
    public let label: Label?
    public let path: String
    /// Bytes of the file.
    public let size: Int

    public init(clip: Clip, label: Label?, path: String, size: Int) {
      self.clip = clip
      self.label = label
      self.path = path
      self.size = size
    }
  }

  public init(folder: String) {
    self.folder = Files.withoutTrailingSlashes(folder)
  }

  /// `$XDG_DATA_HOME/hotword/clips`, or below `~/.local/share`.
  public static func standard(
    environment: (String) -> String? = UserFolders.variable
  ) -> ClipStore {
    ClipStore(folder: UserFolders.data("clips", environment: environment))
  }

  /// Seconds for which a partial file may still be that of another writer.
  private static let longestWrite = 60

  /// Creates the folder if it is missing, checks that a clip can be written, and deletes the partial files of a service that
  /// was killed some time ago.
  public func prepare() throws(ClipFault) {
    try system { () throws(SystemFault) in
      try Files.createFolder(folder, mode: 0o700)
      try Files.checkWritable("\(folder)/clip\(Clip.suffix)")
      for name in try Files.names(in: folder) where name.hasSuffix(".partial") {
        // NAME.wav.RANDOM.partial
        let written = name.split(separator: ".").dropLast(2).joined(separator: ".")
        let path = "\(folder)/\(name)"
        var status = stat()
        guard Clip(fileName: written) != nil, lstat(path, &status) == 0,
          status.st_mtim.tv_sec + Self.longestWrite < time(nil)
        else { continue }
        unlink(path)
      }
    }
  }

  /// Writes a clip of 16 kHz mono, and deletes the oldest unlabelled ones beyond `limit`.
  public func save(_ samples: [Int16], as clip: Clip, limit: ClipLimit) throws(ClipFault) {
    try system { () throws(SystemFault) in try Files.createFolder(folder, mode: 0o700) }
    let kept = try unlabelled()
    let bytes = AudioFile.wave(samples)
    for entry in kept.prefix(limit.evictions(from: kept.map(\.size), adding: bytes.count)) {
      try delete(entry)
    }
    try system { () throws(SystemFault) in
      try Files.write(bytes, to: "\(folder)/\(clip.fileName)", mode: 0o600)
    }
  }

  /// The clips without a label, oldest first.
  public func unlabelled() throws(ClipFault) -> [Entry] { try entries(in: folder, label: nil) }

  /// All clips, oldest first.
  ///
  /// - Throws: ``ClipFault/noFolder(_:)``, ``ClipFault/notAFolder(_:)``, ``ClipFault/system(_:)``.
  public func all() throws(ClipFault) -> [Entry] {
    guard Files.exists(folder) else { throw .noFolder(folder) }
    guard Files.isDirectory(folder) else { throw .notAFolder(folder) }
    var found = try unlabelled()
    for keyword in try names(in: folder) where Files.isDirectory("\(folder)/\(keyword)") {
      for label in Label.allCases {
        let path = "\(folder)/\(keyword)/\(label.folder)"
        if Files.isDirectory(path) { found += try entries(in: path, label: label) }
      }
    }
    return found.sorted {
      ($0.clip.time, $0.clip.fileName) < ($1.clip.time, $1.clip.fileName)
    }
  }

  /// The one clip whose name begins with `name`; of a path the last part counts.
  ///
  /// - Throws: ``ClipFault/noSuchClip(_:folder:)``, ``ClipFault/severalClips(_:count:)``.
  public func entry(_ name: String, among entries: [Entry]) throws(ClipFault) -> Entry {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    let found = entries.filter { !last.isEmpty && $0.clip.fileName.hasPrefix(last) }
    guard let entry = found.first else { throw .noSuchClip(name, folder: folder) }
    guard found.count == 1 else { throw .severalClips(name, count: found.count) }
    return entry
  }

  /// The clip with this file name, in whichever of the folders it is; nil if there is none. No other file is looked at.
  public func entry(fileName: String) -> Entry? {
    guard !fileName.contains("/"), let clip = Clip(fileName: fileName) else { return nil }
    let labelled = Label.allCases.map { (Optional($0), "\(folder)/\(clip.keyword)/\($0.folder)") }
    return ([(nil, folder)] + labelled).lazy.compactMap { entry(clip, label: $0, in: $1) }.first
  }

  /// Moves a labelled clip back to those without a label, with nobody's voice; one without a label stays as it is.
  ///
  /// - Throws: ``ClipFault/system(_:)`` also if the clip has been moved or deleted meanwhile.
  public func unlabel(_ entry: Entry) throws(ClipFault) {
    guard let label = entry.label else { return }
    let original = Entry(
      clip: entry.clip, label: nil, path: "\(folder)/\(entry.clip.fileName)", size: entry.size)
    try unlabel(original, label)
    try setVoice(nil, of: original)
  }

  /// Moves a clip into the folder of its new label.
  ///
  /// - Throws: ``ClipFault/wrongLabel(_:file:kind:)``; ``ClipFault/system(_:)`` also if the clip has been deleted meanwhile.
  public func label(_ entry: Entry, _ label: Label) throws(ClipFault) {
    try check(label, for: entry)
    let target = "\(folder)/\(entry.clip.keyword)/\(label.folder)"
    try system { () throws(SystemFault) in
      try Files.createFolder(target, mode: 0o700)
      let path = "\(target)/\(entry.clip.fileName)"
      guard rename(entry.path, path) == 0 else { throw .cannotWrite(path: entry.path, code: errno) }
    }
    // A clip that is not the word has nobody's voice.
    if label == .falseAlarm || label == .rejection { try setVoice(nil, of: entry) }
  }

  /// Moves a clip that ``label(_:_:)`` moved back to where it was.
  ///
  /// - Throws: ``ClipFault/system(_:)`` also if the clip has been moved or deleted meanwhile.
  public func unlabel(_ entry: Entry, _ label: Label) throws(ClipFault) {
    let path = "\(folder)/\(entry.clip.keyword)/\(label.folder)/\(entry.clip.fileName)"
    try system { () throws(SystemFault) in
      guard rename(path, entry.path) == 0 else { throw .cannotWrite(path: path, code: errno) }
    }
  }

  /// Throws ``ClipFault/wrongLabel(_:file:kind:)`` if the label does not fit the kind of clip.
  public func check(_ label: Label, for entry: Entry) throws(ClipFault) {
    guard label.kind == entry.clip.kind else {
      throw .wrongLabel(label, file: entry.clip.fileName, kind: entry.clip.kind)
    }
  }

  /// Deletes a clip; one that does not exist is not a fault.
  public func delete(_ entry: Entry) throws(ClipFault) {
    try setVoice(nil, of: entry)
    guard unlink(entry.path) != 0, errno != ENOENT else { return }
    throw .system(.cannotWrite(path: entry.path, code: errno))
  }

  private func entries(in folder: String, label: Label?) throws(ClipFault) -> [Entry] {
    try names(in: folder).compactMap { name in
      Clip(fileName: name).flatMap { entry($0, label: label, in: folder) }
    }
  }

  /// A clip that is a file in `folder`.
  private func entry(_ clip: Clip, label: Label?, in folder: String) -> Entry? {
    let path = "\(folder)/\(clip.fileName)"
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Entry(clip: clip, label: label, path: path, size: Int(status.st_size))
  }

  private func names(in folder: String) throws(ClipFault) -> [String] {
    do {
      return try Files.names(in: folder)
    } catch {
      throw .system(error)
    }
  }

  func system(_ body: () throws(SystemFault) -> Void) throws(ClipFault) {
    do {
      try body()
    } catch {
      throw .system(error)
    }
  }
}
