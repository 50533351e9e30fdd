extension CommandTable {
  public static let serve = CommandDefinition(
    "serve", "hear hotwords for others: a wake server of the Wyoming protocol, as Home Assistant uses it",
    options: [
      .value(
        "--uri", "URI", repeats: true,
        "tcp://HOST:PORT, unix:///PATH or stdio:// (default: tcp://0.0.0.0:10400)"),
      .value(
        "--model", "M", repeats: true,
        "a model to offer, a name or path, M:0.7 sets its sensitivity (default: all that are installed)"),
      .value(
        "--preload-model", "M", repeats: true,
        "what is heard for clients that ask for nothing (default: all that are offered)"),
      .value("--custom-model-dir", "DIR", repeats: true, "look for models there first"),
      .value("--sensitivity", "S", "0 to 1 for models without their own; 0.5 is the calibrated point"),
      .value("--threshold", "T", "0 to 1: the score to fire at, for all models, in place of sensitivities"),
      .value("--refractory-seconds", "S", "time after a hit without another (default: the model's, 1.5)"),
      .value("--trigger-level", "N", "taken for compatibility; scores are smoothed without it"),
      .optionalValue(
        "--zeroconf", "NAME", standing: "hotword",
        "let Home Assistant find the server by itself, under that name (hotword), through Avahi"),
      .flag("--debug", "tell what clients do"),
    ],
    notes: [
      """
      Takes the place of wyoming-openwakeword: the same port, protocol and options. In Home Assistant add the \
      integration "Wyoming Protocol" with this machine's address and the port, then choose the wake word in the \
      voice assistant.
      """,
      "Audio of any rate from 4 to 384 kHz, 8 to 32 bit and any channels is converted. SIGTERM ends it in order.",
    ],
    examples: [
      "hotword serve --zeroconf",
      "hotword serve --uri tcp://127.0.0.1:10400 --model computer:0.6 --model jarvis",
      "hotword serve --uri unix:///run/hotword/wake.sock --custom-model-dir ~/models --debug",
    ])
}
