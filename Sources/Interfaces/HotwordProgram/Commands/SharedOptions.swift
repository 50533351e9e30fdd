import CommandLineParsing

/// Options and notes that several commands share.
enum SharedOptions {
  static let input = CommandDefinition.Option.value(
    "--input", "INPUT", "alsa:NAME, an audio file, or - (default: alsa:default)")
  static let pace = CommandDefinition.Option.flag("--pace", "play a file in real time, as if it were live")
  static let model = CommandDefinition.Option.value(
    "--model", "M", repeats: true, "a model's name or path; M:0.7 sets its sensitivity (default: computer)")
  static let sensitivity = CommandDefinition.Option.value(
    "--sensitivity", "S",
    "0 to 1, for models without a sensitivity of their own; 0.5 is the calibrated point")
  static let onlyVoices = CommandDefinition.Option.flag(
    "--only-voices", "accept only enrolled voices; see 'hotword enroll'")
  static let keeping: [CommandDefinition.Option] = [
    .value("--keep", "DIR", "store the audio of detections and near misses there, for 'hotword review'"),
    .value(
      "--keep-limit", "LIMIT",
      "clips (500) or megabytes (200MB) to keep; the oldest are deleted first (default: 1000)"),
  ]
  static let metrics = CommandDefinition.Option.value(
    "--metrics", "ADDRESS:PORT", "serve /metrics for Prometheus and /health there (default: off)")
  static let intents = CommandDefinition.Option.value(
    "--intents", "FILE", "sentence templates in YAML (default: lights, timer, volume, time, lists)")
  static let recognizers = CommandDefinition.Option.value(
    "--recognizer", "R", repeats: true,
    "the speech recognizer; further ones are fallbacks, in order (default: the intent file's choice, or combined)"
  )
  static let understanding = CommandDefinition.Option.value(
    "--understanding", "S", "a service that finds the intent of a text; the intent file is the fallback")
  static let player = CommandDefinition.Option.value(
    "--player", "P",
    "alsa:NAME, or command:LINE that reads a WAV on its standard input (default: alsa:default)")

  static let inputsNote =
    """
    INPUT is an audio file of any format, rate and channel count, or - for raw 16-bit 16 kHz mono \
    (or a WAV) on standard input.
    """
  static let recognizerNote =
    """
    R is combined, builtin or pocketsphinx, which recognize the sentences of the intents; pocketsphinx:dictation; command:LINE that reads a WAV and prints text; or a server: wyoming:tcp://HOST:PORT, \
    vosk:ws://HOST:PORT, whisper:http://HOST:PORT, openai:https://HOST/v1. Append a server's options as \
    ,language=CODE ,model=NAME ,key=FILE ,ca=FILE.
    """
  static let understandingNote =
    """
    S is rasa, homeassistant, dialogflow, wit, azure, luis, lex, watson or susi with its address, such as \
    rasa:http://localhost:5005, and options such as ,key=FILE ,timeout=SECONDS. Documentation/understand.md lists them.
    """
}
