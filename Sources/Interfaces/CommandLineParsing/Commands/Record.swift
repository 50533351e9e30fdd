extension CommandTable {
  public static let record = CommandDefinition(
    "record", "record samples of a phrase, to train and to measure with",
    operands: .exactly(1, "PHRASE"),
    options: [
      .value("--output", "DIR", required: true, "where the recordings go, in Common Voice's layout"),
      .value("--count", "N", "how many by this speaker, those that are there included (default: 20)"),
      .value("--speaker", "ID", "who speaks; 'train' never splits a speaker (default: your login name)"),
      .value("--language", "CODE", "noted as the recordings' locale (default: en)"),
      .value("--input", "INPUT", "alsa:NAME, an audio file, or - (default: alsa:default)"),
      .flag("--pace", "play a file as if it were live"),
      .value(
        "--player", "P",
        "alsa:NAME, or command:LINE that reads a WAV on its standard input (default: alsa:default)"),
    ],
    notes: [
      """
      Each time it prompts, counts down, listens until you have spoken, and looks at the take: nobody heard, too \
      quiet, noisy, cut off at full scale or at an end, too short or too long. Then Enter keeps it, p plays it, \
      r takes it again, q quits. The same command goes on where the last one stopped. Without a terminal it keeps \
      good takes and asks for the others again, in plain lines.
      """,
      """
      DIR/clips holds the takes, cut to the speech with 0.3 s around it, as WAV where Common Voice has MP3; \
      DIR/validated.tsv tells who says what in them. 'train' and 'evaluate' take DIR as it is.
      """,
    ],
    examples: [
      "hotword record \"hello house\" --output recordings --speaker ann",
      "hotword record computer --count 5 --output recordings --input session.wav",
    ])
}
