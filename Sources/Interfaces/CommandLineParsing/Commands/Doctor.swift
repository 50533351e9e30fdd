extension CommandTable {
  public static let doctor = CommandDefinition(
    "doctor", "find out why it does not hear or answer, and what mends it",
    options: [
      .value(
        "--config", "FILE", "the service's settings, checked too (default: as 'hotword run' finds them)"),
      .value("--input", "INPUT", "alsa:NAME, an audio file, or - (default: alsa:default)"),
      .value("--model", "M", repeats: true, "a hotword to listen for (default: computer)"),
      .flag("--json", "print the findings as JSON, one line each"),
    ],
    notes: [
      """
      One line each for the settings, the sound devices, the input and how it sounds, real-time rights, models, \
      intents, recognizers, services and handlers: ok, warning, or fault, with the mend. On a terminal it asks you \
      to be quiet and then to say the hotword, and tells how it scored. Servers are reached, but sent nothing.
      """,
      "It ends with 0 where the service can run, else with the code of the first fault.",
    ],
    examples: ["hotword doctor", "hotword doctor --input alsa:plughw:CARD=Device,DEV=0 --json"])
}
