/// What a synthetic speaker is to say.
package enum Wording: Sendable, Hashable {
  /// Words as they are written.
  case text(String)
  /// Sounds by espeak-ng's names, which espeak-ng alone can say.
  case sounds(String)
  /// English, whatever the language of the phrase.
  case english(String)
}
