extension CommandTable {
  public static let engine = CommandDefinition(
    "engine", "score raw sound chunk by chunk, as Mycroft Precise's engines do",
    operands: .exactly(2, "MODEL CHUNK_BYTES"),
    notes: [
      """
      Reads raw 16-bit 16 kHz mono on standard input and prints a number from 0 to 1 for every CHUNK_BYTES of it; \
      0.5 is MODEL's threshold, M:0.7 shifts it. The highest score of the last 0.32 s counts, so that a hotword \
      spans as many chunks as Precise's clients wait for. Also runs under the name hotword-engine, for programs that \
      cannot give a command.
      """
    ],
    examples: [
      "arecord -q -r 16000 -c 1 -f S16_LE -t raw | hotword engine computer 2048"
    ])
}
