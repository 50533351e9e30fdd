import Espeak
import TextProcessing

/// The pronunciation by espeak-ng of words that the dictionary lacks.
///
/// espeak-ng is opened by the first such word.
public struct EspeakPronouncer: Sendable {
  private let voice: String

  /// - Parameter voice: the name of one of espeak-ng's voices, such as `en-us`.
  public init(voice: String = "en-us") { self.voice = voice }

  /// The phones of `word` in ARPAbet; nil without the library or the voice, and for sounds that English lacks.
  public func phones(of word: String) -> [String]? {
    guard let ipa = (try? Espeak())?.ipa(of: word, voice: voice) else { return nil }
    return Pronunciation.arpabet(ipa: ipa)
  }
}
