import Glibc
import Platform

/// Whose voice is in a clip: a second name of its file, `KEYWORD/voices/NAME/CLIP`, which `hotword enroll` reads as any clip.
///
/// The label stays where it is. Both names share the audio, so it takes no more space.
extension ClipStore {
  private static let voices = "voices"

  /// The names of the voices by the file names of the clips.
  public func voicesOfClips() throws(ClipFault) -> [String: String] {
    var found: [String: String] = [:]
    try system { () throws(SystemFault) in
      guard Files.isDirectory(folder) else { return }
      for keyword in try Files.names(in: folder) {
        let all = "\(folder)/\(keyword)/\(Self.voices)"
        guard Files.isDirectory(all) else { continue }
        for voice in try Files.names(in: all) where Files.isDirectory("\(all)/\(voice)") {
          for name in try Files.names(in: "\(all)/\(voice)") where name.hasSuffix(Clip.suffix) {
            found[name] = voice
          }
        }
      }
    }
    return found
  }

  /// The voice in a clip; nil for none.
  public func voice(of clip: Clip) -> String? {
    let all = "\(folder)/\(clip.keyword)/\(Self.voices)"
    guard Files.isDirectory(all) else { return nil }
    return (try? Files.names(in: all))?.first { Files.exists("\(all)/\($0)/\(clip.fileName)") }
  }

  /// Sets whose voice is in a clip that is labelled as the word; nil for nobody's.
  ///
  /// - Parameter voice: the name of an enrolled voice: a file name.
  /// - Throws: ``ClipFault/notTheWord(file:)`` for another clip, ``ClipFault/system(_:)``.
  public func setVoice(_ voice: String?, of entry: Entry) throws(ClipFault) {
    if voice != nil, entry.label != .wake, entry.label != .missed {
      throw .notTheWord(file: entry.clip.fileName)
    }
    let all = "\(folder)/\(entry.clip.keyword)/\(Self.voices)"
    if let last = self.voice(of: entry.clip), last != voice {
      unlink("\(all)/\(last)/\(entry.clip.fileName)")
    }
    guard let voice else { return }
    try system { () throws(SystemFault) in
      try Files.createFolder("\(all)/\(voice)", mode: 0o700)
      let path = "\(all)/\(voice)/\(entry.clip.fileName)"
      guard link(entry.path, path) == 0 || errno == EEXIST else {
        throw .cannotWrite(path: path, code: errno)
      }
    }
  }
}
