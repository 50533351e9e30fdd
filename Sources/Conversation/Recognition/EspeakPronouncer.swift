import Glibc
import Platform
import Synchronization

/// How espeak-ng would say words that no dictionary has.
///
/// The library is opened by the first word that asks for it, so that a process without such words does not load it.
public struct EspeakPronouncer: Sendable {
  private typealias Initialize = @convention(c) (Int32, Int32, UnsafePointer<CChar>?, Int32) -> Int32
  private typealias SetVoice = @convention(c) (UnsafePointer<CChar>) -> Int32
  private typealias TextToPhonemes =
    @convention(c) (
      UnsafeMutablePointer<UnsafeRawPointer?>, Int32, Int32
    ) -> UnsafePointer<CChar>?

  private struct Library {
    let setVoice: SetVoice
    let phonemes: TextToPhonemes

    init?() {
      guard let handle = dlopen("libespeak-ng.so.1", RTLD_NOW | RTLD_LOCAL),
        let initialize = dlsym(handle, "espeak_Initialize"),
        let voice = dlsym(handle, "espeak_SetVoiceByName"),
        let phonemes = dlsym(handle, "espeak_TextToPhonemes")
      else { return nil }
      setVoice = unsafeBitCast(voice, to: SetVoice.self)
      self.phonemes = unsafeBitCast(phonemes, to: TextToPhonemes.self)
      guard unsafeBitCast(initialize, to: Initialize.self)(Self.synchronous, 0, nil, Self.doNotExit) > 0
      else {
        return nil
      }
    }

    /// Speech is handed to the program while it asks for it, as the assistant's own voice does in the same process.
    private static let synchronous: Int32 = 2
    private static let doNotExit: Int32 = 0x8000
  }

  private static let library = Mutex<Library??>(nil)

  private let voice: String

  /// - Parameter voice: the name of one of espeak-ng's voices, such as `en-us`.
  public init(voice: String = "en-us") { self.voice = voice }

  /// The phones of `word` in ARPAbet; nil without the library or the voice, and for sounds that English lacks.
  public func phones(of word: String) -> [String]? {
    ipa(of: word).flatMap { Pronunciation.arpabet(ipa: $0) }
  }

  private func ipa(of word: String) -> String? {
    espeakLock.withLock { _ in
      Self.library.withLock { library in
        if library == nil { library = .some(Library()) }
        guard case .some(.some(let library)) = library, library.setVoice(voice) == 0 else { return nil }
        let characters: Int32 = 1
        let inIPA: Int32 = 2
        return word.withCString { text in
          var rest: UnsafeRawPointer? = UnsafeRawPointer(text)
          return library.phonemes(&rest, characters, inIPA).map { String(cString: $0) }
        }
      }
    }
  }
}
