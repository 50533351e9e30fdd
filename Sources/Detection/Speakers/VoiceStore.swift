import Detection
import Glibc
import Platform

/// The folder of enrolled voices, one file each, readable by the owner only.
public struct VoiceStore: Sendable, Equatable {
  public let folder: String

  private static let suffix = ".voice"
  private static let fileLimit = 16 << 20

  public init(folder: String) { self.folder = folder }

  /// `$XDG_DATA_HOME/hotword/voices`, or below `~/.local/share`.
  public static func standard(
    environment: (String) -> String? = UserFolders.variable
  ) -> VoiceStore {
    VoiceStore(folder: UserFolders.data("voices", environment: environment))
  }

  /// Whether `text` can name a voice: 1 to 64 bytes of a file name that does not begin with a dot or a dash.
  public static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
  }

  public func path(of name: String) -> String { "\(folder)/\(name)\(Self.suffix)" }

  /// The names of the enrolled voices, sorted; empty without a folder.
  public func names() throws(VoiceFault) -> [String] {
    guard Files.isDirectory(folder) else { return [] }
    do {
      return try Files.names(in: folder).filter { $0.hasSuffix(Self.suffix) }.map {
        String($0.dropLast(Self.suffix.count))
      }
    } catch {
      throw .system(error)
    }
  }

  /// The voice `name`; nil if it is not enrolled.
  public func voice(_ name: String) throws(VoiceFault) -> EnrolledVoice? {
    guard Files.exists(path(of: name)) else { return nil }
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path(of: name), limit: Self.fileLimit)
    } catch {
      throw .system(error)
    }
    do {
      return try EnrolledVoice(decoding: bytes)
    } catch {
      throw .badVoice(path: path(of: name), defect: error)
    }
  }

  /// All enrolled voices.
  public func voices() throws(VoiceFault) -> [EnrolledVoice] {
    var voices: [EnrolledVoice] = []
    for name in try names() {
      if let voice = try voice(name) { voices.append(voice) }
    }
    return voices
  }

  /// Writes the voice's file atomically.
  public func save(_ voice: EnrolledVoice) throws(VoiceFault) {
    do {
      try Files.createFolder(folder, mode: 0o700)
      try Files.write(voice.encoded, to: path(of: voice.name), mode: 0o600)
    } catch {
      throw .system(error)
    }
  }

  /// Deletes the voice `name`.
  public func remove(_ name: String) throws(VoiceFault) {
    guard unlink(path(of: name)) == 0 else {
      if errno == ENOENT { throw .unknownVoice(name, known: try names()) }
      throw .system(.cannotWrite(path: path(of: name), code: errno))
    }
  }
}
