extension CommandTable {
  public static let monitor = CommandDefinition(
    "monitor", "watch what it hears: the level, speech, and each hotword's score",
    options: [
      .value("--input", "INPUT", "alsa:NAME, an audio file, or - (default: alsa:default)"),
      model,
      sensitivity,
      .flag("--pace", "play a file as if it were live"),
    ],
    notes: [
      """
      Keys: q quit, + and - the sensitivity, p hold the picture, s save the last ten seconds as a WAV file here. It \
      needs a terminal, ssh will do; for programs there is 'hotword run --events json'. NO_COLOR is heeded, and \
      where the locale is not UTF-8 the picture is made of ASCII.
      """
    ],
    examples: [
      "hotword monitor", "hotword monitor --model computer --model jarvis:0.6",
      "hotword monitor --input Examples/turn-on-the-kitchen-light.wav --pace",
    ])
}
