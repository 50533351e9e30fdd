import Platform

/// Where PocketSphinx's model files lie, in the layout of Debian's `pocketsphinx-en-us`.
public struct SpeechModel: Sendable, Equatable {
  /// The folder that holds the acoustic model's folder, the dictionary and the n-grams.
  public let folder: String
  /// The language, as in `en-US`; the acoustic model's folder is its small-letter form.
  public let locale: String

  /// Debian's English model.
  public static let english = SpeechModel(folder: "/usr/share/pocketsphinx/model/en-us", locale: "en-US")

  public init(folder: String, locale: String) {
    self.folder = folder
    self.locale = locale
  }

  private var language: String { locale.lowercased() }
  var acousticModel: String { "\(folder)/\(language)" }
  /// The path of the pronouncing dictionary.
  public var dictionary: String { "\(folder)/cmudict-\(language).dict" }
  var ngrams: String { "\(folder)/\(language).lm.bin" }

  /// The first file that is missing; nil when all are there.
  func missing(grammar: Bool) -> String? {
    let needed =
      ["mdef", "means", "variances", "transition_matrices"].map { "\(acousticModel)/\($0)" }
      + [dictionary] + (grammar ? [] : [ngrams])
    return needed.first { !Files.exists($0) }
  }
}
