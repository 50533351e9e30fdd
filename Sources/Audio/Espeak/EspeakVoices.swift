import CEspeak
import Glibc
import Platform

extension Espeak {
  /// A voice that is installed.
  public struct Voice: Sendable, Equatable {
    /// Its file's name, in lower case.
    public let name: String
    /// The codes of the languages that it speaks with its rank among their voices, the best one lowest.
    public let languages: [String: Int]
  }

  /// The voices that are installed, without variants and without those of MBROLA.
  public func voices() -> [Voice] {
    use { library in
      var voices: [Voice] = []
      guard var entry = library.list_voices(nil) else { return [] }
      while let voice = entry.pointee?.pointee {
        entry += 1
        let file = String(cString: voice.identifier)
        guard !file.hasPrefix("mb/"), let name = file.split(separator: "/").last else { continue }
        var languages: [String: Int] = [:]
        for (code, rank) in Self.languages(of: voice) { languages[code.lowercased()] = rank }
        voices.append(Voice(name: name.lowercased(), languages: languages))
      }
      return voices
    }
  }

  /// The library's name of a voice.
  ///
  /// - Parameter name: a voice or a language, with or without a variant: `en-us`, `de`, `en-gb+f2`.
  /// - Returns: nil where the library has no such voice or no such variant.
  public func voice(named name: String) -> String? {
    let base = String(name.prefix { $0 != "+" })
    let variant = name.dropFirst(base.count)
    guard !base.isEmpty, name.utf8.count < 256, !name.utf8.contains(0) else { return nil }
    return use { library in
      guard Self.hasVariant(variant, library) else { return nil }
      var found = base
      if library.set_voice(base) != EE_OK {
        let isFound = base.withCString { code in
          var wanted = espeak_VOICE()
          wanted.languages = code
          return library.set_voice_by_properties(&wanted) == EE_OK
        }
        // The library falls back to another language.
        guard isFound, let voice = library.current_voice()?.pointee, let identifier = voice.identifier,
          Self.languages(of: voice).contains(where: { $0.code.lowercased() == base.lowercased() })
        else { return nil }
        found = String(cString: identifier)
      }
      found += variant
      return library.set_voice(found) == EE_OK ? found : nil
    }
  }

  /// Whether a variant, with its plus sign, is installed: the library ignores one that is not.
  private static func hasVariant(_ variant: Substring, _ library: espeak_library) -> Bool {
    if variant.isEmpty { return true }
    let name = variant.dropFirst()
    var folder: UnsafePointer<CChar>?
    _ = library.info(&folder)
    guard let folder, !name.isEmpty, !name.contains(where: { "/.".contains($0) }) else { return false }
    return access("\(String(cString: folder))/voices/!v/\(name)", R_OK) == 0
  }

  /// In the library each is a rank of one byte and a text, and a rank of zero ends them.
  private static func languages(of voice: espeak_VOICE) -> [(code: String, rank: Int)] {
    var languages: [(code: String, rank: Int)] = []
    var place = voice.languages
    while let entry = place, entry.pointee != 0 {
      let code = String(cString: entry + 1)
      languages.append((code, Int(entry.pointee)))
      place = entry + code.utf8.count + 2
    }
    return languages
  }
}
