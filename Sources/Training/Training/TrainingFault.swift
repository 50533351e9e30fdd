import Detection
import Espeak
import Platform

/// An error that prevents a training.
public enum TrainingFault: Fault, Equatable {
  /// The phrase contains no letter.
  case emptyPhrase
  /// espeak-ng finds no sounds in the phrase, or cannot read `character` in `language`.
  case unspeakable(phrase: String, character: String, language: String)
  /// espeak-ng does not support the language.
  case unknownLanguage(String, suggestion: String?)
  /// A pronunciation contains a symbol that is not allowed.
  case badPronunciation(text: String, symbol: String, allowed: String)
  /// espeak-ng or its data are not usable.
  case noSynthesizer(EspeakFault)
  /// No file in `folder` is usable as `use`.
  case nothingReadable(folder: String, use: String)
  /// The name of a model's file must end with its suffix.
  case badOutput(String)
  /// The name of the model's file, without its folder and suffix, cannot be that of a model.
  case badName(String)
  /// The folder of the evaluation model is that of the model, which has the same name.
  case badEvaluation(String)
  /// No clip has a label to learn from.
  case noClips(String)
  /// No transcript of a corpus is exactly the phrase.
  case phraseNotSaid(folder: String, phrase: String)
  /// Synthesis is off and no recordings of the phrase are given.
  case noPositives
  /// The number of steps is out of range.
  case steps(Int)
  /// A line of a list of transcripts is not PATH, a tab and the words.
  case badTranscript(path: String, line: Int)
  /// The pretrained encoder is in none of `folders`.
  case noPretrainedEncoder(file: String, folders: [String])
  /// The background at `path` is not usable.
  case badBackground(path: String, defect: String)
  /// The checkpoint at `path` is not usable.
  case badCheckpoint(path: String, defect: String)
  /// The model is not based on the installed encoder.
  case otherEncoder(model: String)
  /// The encoder at `path` has not the shape of the one to train.
  case otherShape(path: String, channels: Int)
  /// No voice has this name.
  case unknownVoice(String)
  /// The voice speaks text only, and no pronunciation.
  case textOnlyVoice(String)
  /// The program of `--synthesizer` did not speak.
  case synthesizerFailed(command: String, reason: String)
  /// The program of `--synthesizer` speaks text, and all pronunciations are given as sounds.
  case synthesizerNeedsText
  /// The user interrupted the training.
  case interrupted

  public var exitCode: ExitCode {
    switch self {
    case .emptyPhrase, .noPositives, .steps, .unknownLanguage, .badPronunciation: .usage
    case .unknownVoice, .textOnlyVoice: .usage
    case .badOutput, .badName, .badEvaluation, .synthesizerNeedsText: .usage
    case .unspeakable, .nothingReadable, .noClips, .phraseNotSaid, .badTranscript, .badBackground,
      .badCheckpoint,
      .otherEncoder, .otherShape:
      .badData
    case .noSynthesizer, .synthesizerFailed: .unavailable
    case .noPretrainedEncoder: .noInput
    case .interrupted: .bug
    }
  }

  public var message: String {
    switch self {
    case .emptyPhrase: "the phrase is empty; give the words to detect"
    case .unspeakable(let phrase, let character, let language):
      "\(phrase): espeak-ng cannot read \"\(character)\" in the language '\(language)'; set the phrase's language with "
        + "--language, or write the phrase in this language's letters"
    case .unknownLanguage(let code, let suggestion):
      "--language '\(code)': not a language of 'espeak-ng --voices'\(Suggestion.question(suggestion))"
    case .badPronunciation(let text, let symbol, let allowed):
      "--pronunciation '\(text)': invalid symbol '\(symbol)'; allowed: \(allowed)"
    case .noSynthesizer(let fault): fault.message
    case .badOutput(let path):
      "\(path): the name of a model's file ends with .safetensors; use \(path).safetensors"
    case .badName(let name):
      "'\(PlainText.line(name, limit: 100))': not a name of a model, which has \(HotwordModel.allowedName); name it with --output"
    case .badEvaluation(let folder):
      "--evaluation \(folder): the model itself is written to this folder under the same name; use another one"
    case .nothingReadable(let folder, let use):
      "\(folder): contains no audio file that is usable as \(use); check the path and the files"
    case .noClips(let folder):
      "\(folder): no clip is labelled as a false alarm or a missed phrase; label some with 'hotword review'"
    case .phraseNotSaid(let folder, let phrase):
      "\(folder): no transcript is exactly \"\(phrase)\"; check the phrase or give another corpus"
    case .noPositives: "--no-synthesis needs recordings of the phrase: add --positives DIR"
    case .steps(let steps): "--steps \(steps): out of range; use 10 to 100000"
    case .badTranscript(let path, let line):
      "\(path), line \(line): expected PATH, a tab and the spoken words"
    case .noPretrainedEncoder(let file, let folders):
      "\(file): not found in \(folders.joined(separator: ", ")); install hotword's models, or run from its source folder"
    case .badBackground(let path, let defect):
      "\(path): invalid background file: \(defect); install hotword's models again"
    case .badCheckpoint(let path, let defect):
      "\(path): invalid checkpoint: \(defect); start anew without --resume"
    case .otherEncoder(let model):
      "\(model): trained on another encoder than the installed one; train it again with 'hotword train'"
    case .otherShape(let path, let channels):
      "--from \(path): has other layers (\(channels) channels) than the encoder to train; use --channels \(channels)"
    case .unknownVoice(let name): "--voice '\(name)': not a voice of this language; 'phrase' lists them"
    case .textOnlyVoice(let name): "--voice '\(name)': speaks no pronunciations; choose a voice of espeak-ng"
    case .synthesizerFailed(let command, let reason):
      "--synthesizer \(command): \(reason); try it with one line, as Documentation/train.md shows"
    case .synthesizerNeedsText:
      "--synthesizer speaks the phrase as it is written; add --pronunciation spelled, or leave out --synthesizer"
    case .interrupted: "interrupted; nothing was written"
    }
  }
}
