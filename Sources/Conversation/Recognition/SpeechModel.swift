import Platform

/// The model files of PocketSphinx, in the layout of Debian's `pocketsphinx-en-us`.
public struct SpeechModel: Sendable, Equatable {
  /// The folder with the acoustic model, the dictionary and the n-grams.
  public let folder: String
  /// The language, such as `en-US`; the folder of the acoustic model has its lowercase form as name.
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

  /// The first file that is missing; nil where all exist.
  func missing(grammar: Bool) -> String? {
    let needed =
      ["mdef", "means", "variances", "transition_matrices"].map { "\(acousticModel)/\($0)" }
      + [dictionary] + (grammar ? [] : [ngrams])
    return needed.first { !Files.exists($0) }
  }
}
