extension CommandTable {
  public static let satellite = CommandDefinition(
    "satellite", "be a voice satellite of Home Assistant: hear the hotword here, have the rest done there",
    options: [
      .value("--uri", "URI", "tcp://HOST:PORT or unix:///PATH (default: tcp://0.0.0.0:10700)"),
      .value("--name", "NAME", "what Home Assistant calls it (default: this machine's name)"),
      .value(
        "--model", "M", repeats: true,
        "a model's name or path, M:0.7 sets its sensitivity (default: computer)"),
      .value("--sensitivity", "S", "0 to 1 for models without their own; 0.5 is the calibrated point"),
      .value("--input", "INPUT", "alsa:NAME, an audio file, or - (default: alsa:default)"),
      .flag("--pace", "play a file as if it were live"),
      .value("--player", "alsa:NAME|none", "where answers are played (default: alsa:default)"),
      .flag("--sounds", "tell by sounds when it listens and when no longer"),
      .value("--echo-delay", "MS", "milliseconds from what is played to its echo (default: 40)"),
      .value("--no-speech-timeout", "S", "seconds to begin to speak after the hotword (default: 5)"),
      .optionalValue(
        "--zeroconf", "NAME", standing: "",
        "let Home Assistant find it by itself, under that name (--name), through Avahi"),
    ],
    notes: [
      """
      In Home Assistant add the integration "Wyoming Protocol" with this machine's address and port 10700. What is said after \
      the hotword goes to its voice assistant, and its answer is played here. Nothing is sent before the hotword.
      """,
      "One Home Assistant at a time owns the satellite; SIGTERM ends it in order.",
    ],
    examples: [
      "hotword satellite --name Kitchen --zeroconf",
      "hotword satellite --model jarvis --input alsa:plughw:CARD=Device,DEV=0 --player none",
    ])
}
