import Espeak
import Platform

/// What keeps a model from being made.
public enum TrainingFault: Fault, Equatable {
  /// The phrase holds no letter.
  case emptyPhrase
  /// espeak-ng reads no sounds in the phrase, or does not read `character` in `language`.
  case unspeakable(phrase: String, character: String, language: String)
  /// espeak-ng speaks no such language.
  case unknownLanguage(String, suggestion: String?)
  /// A pronunciation holds a symbol that is none of the allowed ones.
  case badPronunciation(text: String, symbol: String, allowed: String)
  /// espeak-ng or its data cannot be used.
  case noSynthesizer(EspeakFault)
  /// A folder named on the command line is not there.
  case noFolder(String)
  /// Not one file below `folder` could be used as `use`.
  case nothingReadable(folder: String, use: String)
  /// The texts of a corpus hold the phrase alone nowhere.
  case phraseNotSaid(folder: String, phrase: String)
  /// Synthesis is off and no recordings of the phrase are given.
  case noPositives
  /// The steps are too few or too many.
  case steps(Int)
  /// A line of a list of transcripts is not a path, a tab and words.
  case badTranscript(path: String, line: Int)
  /// The encoder or the background that every training stands on is in none of `folders`.
  case noFoundation(file: String, folders: [String])
  /// The background at `path` cannot be used.
  case badBackground(path: String, defect: String)
  /// The model stands on another encoder than the installed one, or on none.
  case otherEncoder(model: String)
  /// The user ended it.
  case interrupted

  public var exitCode: ExitCode {
    switch self {
    case .emptyPhrase, .noPositives, .steps, .unknownLanguage, .badPronunciation: .usage
    case .unspeakable, .nothingReadable, .phraseNotSaid, .badTranscript, .badBackground, .otherEncoder:
      .badData
    case .noSynthesizer: .unavailable
    case .noFolder, .noFoundation: .noInput
    case .interrupted: .bug
    }
  }

  public var message: String {
    switch self {
    case .emptyPhrase: "the phrase is empty; give the words to listen for"
    case .unspeakable(let phrase, let character, let language):
      "\(phrase): \"\(character)\" cannot be spoken in the language '\(language)'; name the phrase's own with "
        + "--language, or write it in letters of this one"
    case .unknownLanguage(let code, let suggestion):
      "--language '\(code)': none of the codes that 'espeak-ng --voices' lists\(Suggestion.question(suggestion))"
    case .badPronunciation(let text, let symbol, let allowed):
      "--pronunciation '\(text)': '\(symbol)' is no symbol there; allowed: \(allowed)"
    case .noSynthesizer(let fault): fault.message
    case .noFolder(let folder): "\(folder): no such folder"
    case .nothingReadable(let folder, let use): "\(folder): holds no audio file that is usable as \(use)"
    case .phraseNotSaid(let folder, let phrase):
      "\(folder): in none of its recordings \"\(phrase)\", and nothing else, is said"
    case .noPositives: "--no-synthesis needs recordings of the phrase: add --positives DIR"
    case .steps(let steps): "--steps \(steps): expected 10 to 100000"
    case .badTranscript(let path, let line):
      "\(path), line \(line): expected a path, a tab and the words said"
    case .noFoundation(let file, let folders):
      "\(file) is in none of \(folders.joined(separator: ", ")): install hotword's models, or run from its folder"
    case .badBackground(let path, let defect): "\(path): not a usable background: \(defect)"
    case .otherEncoder(let model):
      "\(model): was made on another encoder than the one installed; make it again with 'hotword train'"
    case .interrupted: "interrupted; nothing was written"
    }
  }
}
