/// Every command of `hotword`, in the order of its help.
public enum CommandTable {
  public static let commands: [CommandDefinition] = [
    run, detect, score, engine, enroll, record, train, trainEncoder, evaluate, transcribe, understand,
    serve, satellite, review, devices, monitor, doctor, models, completions, manual,
  ]

  public static let run = CommandDefinition(
    "run", "listen for hotwords and act on what follows, until interrupted",
    options: [
      .value(
        "--config", "FILE",
        "read the settings from a YAML file (default: ~/.config/hotword/config.yaml or /etc/hotword/config.yaml)"
      ),
      .flag("--check", "tell what is wrong with the settings and what they name, instead of listening"),
      .value("--input", "INPUT", "alsa:NAME, an audio file, or - (default: alsa:default)"),
      model,
      sensitivity,
      .value("--events", "json|text", "how to report (default: text)"),
      .flag("--pace", "play a file as if it were live"),
      recognizers,
      intents,
      understanding,
      .value(
        "--handler", "H", repeats: true,
        "what acts; several are asked in order until one replies (default: print)"),
      .value("--hermes", "B", "join an MQTT broker as Rhasspy's services do"),
      .value("--speak", "VOICE", "say replies and questions too (default: only report them)"),
      .value("--player", "alsa:NAME", "where to say them, and where timers ring (default: alsa:default)"),
      .flag("--sounds", "tell by sounds when it listens and when no longer"),
      .value("--keep", "DIR", "keep the audio of wakes and near misses there, for 'hotword review'"),
      .value(
        "--keep-limit", "LIMIT", "clips (500) or megabytes (200MB) to keep, oldest out first (default: 1000)"),
      onlyVoices,
      .value(
        "--metrics", "ADDRESS:PORT", "serve /metrics for Prometheus and /health there (default: nowhere)"),
      log,
      logLevel,
    ],
    notes: [
      recognizerNote,
      understandingNote,
      """
      H is print, the intent's own reply, with timers and volume; speak, the same with a voice; \
      command:LINE that reads the event and prints a reply, or {"reply": …, "actions": […]}; \
      https://HOST/PATH[,key=FILE][,ca=FILE] that is posted the event; or \
      mqtt://HOST[/TOPIC][,user=NAME][,password=FILE][,site=ID].
      """,
      """
      B is mqtt://HOST[:PORT] or mqtts:, with options as ,site=ID ,user=NAME ,password=FILE ,ca=FILE; \
      ,dialogue=elsewhere leaves what follows a hotword to another dialogue manager. With --input hermes the site's \
      audio comes over the broker too.
      """,
      "VOICE is espeak[:VOICE][,rate=WORDS][,pitch=P], or command:LINE that reads a text and prints a WAV.",
      "A wake, the words, the intent and the reply are reported as they happen; every wake ends with one idle.",
      """
      SIGHUP has the settings, the models and the intents read anew without a sound being lost; where something is \
      wrong with them, it is told and the old ones stay. SIGINT and SIGTERM end it.
      """,
    ],
    examples: [
      "hotword run", "hotword run --check",
      "hotword run --model computer --input alsa:plughw:CARD=Device,DEV=0",
      "hotword run --input evening.flac --pace --events json",
      "hotword run --speak espeak:en-gb,rate=160 --sounds",
      "hotword run --keep ~/.local/share/hotword/clips --keep-limit 200MB",
      "arecord -r 16000 -c 1 -f S16_LE -t raw | hotword run --input -",
    ])

  public static let detect = CommandDefinition(
    "detect", "tell when each hotword is said, one JSON line per hotword found",
    operands: .atLeast(1, "INPUT"),
    options: [
      requiredModels, sensitivity, onlyVoices,
      .flag("--names", "print the keyword alone, for programs that wait for a line with a name"),
    ],
    notes: [inputs],
    examples: [
      "hotword detect --model computer meeting.wav",
      "arecord -q -r 16000 -c 1 -f S16_LE -t raw | hotword detect --model computer --names -",
      "arecord -r 16000 -c 1 -f S16_LE -t raw | hotword detect --model alexa --model jarvis:0.7 -",
    ])

  public static let score = CommandDefinition(
    "score", "list every score peak of one model, for evaluation",
    operands: .atLeast(1, "INPUT"),
    options: [
      .value("--model", "M", required: true, "the model's name or path"),
      .value("--floor", "F", "leave out peaks below this score (default: 0.01)"),
      .value("--gap", "S", "seconds between a peak and a higher one (default: 2)"),
    ],
    notes: [inputs],
    examples: ["hotword score --model computer --floor 0.1 clips/*.wav"])

  public static let enroll = CommandDefinition(
    "enroll", "learn a person's voice from three or more clips of the hotword, or from the microphone",
    operands: .atLeast(0, "NAME CLIP"),
    options: [
      .value("--phrase", "M", "the model whose phrase the clips hold"),
      .value(
        "--input", "INPUT", "without clips: where the phrase is said three times (default: alsa:default)"),
      .flag("--list", "list the enrolled voices"),
      .flag("--remove", "forget the voice NAME"),
    ],
    notes: [
      """
      detect, score and run then tell who spoke: "speaker" is the name, or null for a stranger, and "speakerScore" \
      from 0.5 on means that voice. Voices are kept in $XDG_DATA_HOME/hotword/voices, for their owner's eyes only. \
      To enroll a name again replaces its clips of that phrase.
      """
    ],
    examples: [
      "hotword enroll ann --phrase computer ann-1.wav ann-2.wav ann-3.wav",
      "hotword enroll ann --phrase computer", "hotword enroll --list",
    ])

  public static let train = CommandDefinition(
    "train", "make a model of any phrase from recordings, synthesized speech, or both",
    operands: .upTo(1, "PHRASE"),
    options: [
      .value("--language", "CODE", "the phrase's language, as 'espeak-ng --voices' lists them (default: en)"),
      .value(
        "--pronunciation", "P", repeats: true,
        "how it is said: ARPAbet, [[espeak-ng's phonemes]], or spelled (default: spelled)"),
      .value(
        "--positives", "DIR", repeats: true,
        "recordings of the phrase; sessions.tsv beside them splits by session"),
      .value("--negatives", "DIR", repeats: true, "recordings of anything else: speech, music, television"),
      .value("--noise", "DIR", repeats: true, "background sounds to mix in"),
      .flag("--no-synthesis", "train on recordings alone"),
      .value("--improve", "M", "make the next version of this model, a name or a path, in place of PHRASE"),
      .value(
        "--false-alarms", "DIR", repeats: true, "clips that M fired at and should not have; with --improve"),
      .value("--missed", "DIR", repeats: true, "clips of the phrase that M missed; with --improve"),
      .value(
        "--output", "FILE", "the model to write (default: ./Models/PHRASE.safetensors, or M's own file)"),
      .value("--seed", "N", "another seed gives another model, the same one the same (default: 1)"),
      .value("--steps", "N", "batches that each network is fitted to (default: 1500, with --improve 300)"),
      .flag("--json", "print the report as one JSON object"),
    ],
    notes: [
      """
      Training needs no network and no GPU: under ten minutes on two cores. It ends with the model's measured \
      misses and false alarms on recordings that it did not train on, written to the card beside the model.
      """,
      corpora,
      """
      With --improve it takes some minutes and tells what M and the next version do, on the last clips of DIR too, \
      which are kept aside for that; M:0.7 compares them at the sensitivity that you use. DIR is a folder of \
      'hotword review', or any clips. The version before stays beside the new one as NAME.safetensors.previous.
      """,
    ],
    examples: [
      "hotword train \"hello house\"",
      "hotword train computer --positives clips/computer --negatives speech --noise noise",
      "hotword train --improve computer --false-alarms clips/computer/false-alarms --missed clips/computer/missed",
      "hotword train Siobhan --pronunciation 'SH IH V AO1 N' --pronunciation '[[S@v'O:n]]'",
      "hotword train \"Guten Morgen\" --language de",
      "hotword train marvin --positives speech_commands --negatives speech_commands",
    ])

  public static let trainEncoder = CommandDefinition(
    "train-encoder", "make the encoder that every phrase is trained on, from transcribed speech",
    options: [
      .value("--recordings", "DIR", required: true, "where the recordings lie that the transcripts name"),
      .value(
        "--transcripts", "FILE", repeats: true, required: true,
        "lines of a file or folder, a tab, and what is said there"),
      .value(
        "--negatives", "DIR", repeats: true, "speech to train and measure phrases against"),
      .value("--noise", "DIR", repeats: true, "background sounds to mix in"),
      .flag(
        "--commands",
        "make one that commands are recognized with instead: SEED.safetensors, to lie beside others"),
      .value(
        "--output", "DIR", "the folder to write to (default: ./Models/training or ./Models/recognition/en)"),
      .value("--seed", "N", "another seed gives another encoder (default: 1)"),
      .value("--steps", "N", "batches to fit (default: enough for about twenty minutes)"),
    ],
    notes: [
      "Needed once only: the encoder comes with hotword. Models that were trained on another keep it and still run."
    ],
    examples: ["hotword train-encoder --recordings a --transcripts t --negatives b"])

  public static let evaluate = CommandDefinition(
    "evaluate", "measure a model: misses against false alarms per hour",
    options: [
      .value("--model", "M", required: true, "the model's name or path"),
      .value(
        "--positives", "DIR", repeats: true, required: true, "recordings of the phrase, one utterance each"),
      .value(
        "--negatives", "DIR", repeats: true, required: true,
        "hours without the phrase; its sub-folders are told apart in the report"),
      .value("--noise", "DIR", repeats: true, "noise to mix into the recordings"),
      .value(
        "--snr", "DB", repeats: true, "its level below the speech, several as 20,10,5 (default: 10)"),
      .value("--target", "PERCENT", "most misses at 0.5 false alarms an hour (default: 5)"),
      .value("--seed", "N", "chooses the noise (default: 1)"),
      .value("--report", "DIR", "write the report there with every score and plots (by gnuplot)"),
      .flag("--json", "print the report as one JSON object"),
    ],
    notes: [
      """
      Every rate comes with its 95 % confidence interval. Thresholds marked ~ are estimates: the hours are too few \
      to count such a rate. Sources marked ! give more than their share of the false alarms.
      """,
      corpora,
    ],
    examples: [
      "hotword evaluate --model computer --positives clips/computer --negatives speech --noise noise --snr 10",
      "hotword evaluate --model jarvis:0.6 --positives jarvis --negatives house --report report --json",
    ])

  public static let transcribe = CommandDefinition(
    "transcribe", "turn speech into text",
    operands: .atLeast(1, "INPUT"),
    options: [
      recognizers,
      intents,
    ],
    notes: [recognizerNote, inputs],
    examples: [
      "hotword transcribe order.wav", "hotword transcribe --intents home.yaml order.wav",
      "hotword transcribe --recognizer 'command:whisper-cli -f -' order.wav",
    ])

  public static let understand = CommandDefinition(
    "understand", "turn text into an intent with its slots",
    operands: .atLeast(1, "TEXT"),
    options: [
      intents,
      understanding,
      .flag("--dialogue", "take the sentences as the turns of one conversation"),
      .value("--speaker", "NAME", "the enrolled voice that says them (default: a stranger)"),
    ],
    notes: [
      "Each TEXT is one sentence; quote it. With - sentences are read from standard input, one a line.",
      understandingNote,
    ],
    examples: [
      "hotword understand \"turn on the kitchen light\"",
      "hotword understand --intents Examples/ride.yaml --dialogue \"book me a ride\" limo \"to the airport\"",
      "hotword understand --intents home.yaml \"set a timer for five minutes\"",
    ])

  public static let review = CommandDefinition(
    "review", "hear what 'run --keep' kept, and say whether it was the word",
    operands: .upTo(1, "DIR"),
    options: [
      .flag("--list", "list all clips instead, labelled ones too, oldest first"),
      .flag("--json", "list them as JSON, one line per clip"),
      .value(
        "--label", "CLIP=LABEL", repeats: true,
        "label a clip: wake or false-alarm for a wake, missed or rejection for a near miss"),
      .value("--play", "CLIP", repeats: true, "play a clip"),
      .value(
        "--player", "P",
        "alsa:NAME, or command:LINE that reads a WAV on its standard input (default: alsa:default)"),
    ],
    notes: [
      "DIR is the folder of 'run --keep'; without it $XDG_DATA_HOME/hotword/clips or ~/.local/share/hotword/clips.",
      """
      On a terminal, each clip without a label is played and asked for: p plays it again, y it was the word, \
      n it was not, s skip, d delete, q quit. A label moves the clip to KEYWORD/wakes, KEYWORD/false-alarms, \
      KEYWORD/missed or KEYWORD/rejections below DIR, where it stays until you delete it.
      """,
      "CLIP is a clip's file name or the beginning of it, such as the time that --list shows.",
    ],
    examples: [
      "hotword review", "hotword review --list clips",
      "hotword review clips --label 20261121T131252.120Z=false-alarm",
      "hotword review clips --player 'command:ssh desk aplay -q'",
    ])

  public static let devices = CommandDefinition(
    "devices", "list what can be heard from", examples: ["hotword devices"])

  public static let models = CommandDefinition(
    "models", "list the installed models, show one, or export one for other programs",
    operands: .upTo(2, "list|show M|export M"),
    options: [
      .flag("--json", "with show: print it as one JSON object"),
      .value("--format", "onnx", "with export: what to write"),
      .value("--output", "FILE", "with export: where to"),
    ],
    notes: [
      """
      show tells the phrase, what the model costs, what each sensitivity does, and the licences of what it was \
      trained on. export writes its networks for onnxruntime and its like; they take the vectors that hotword's \
      front end and features make.
      """
    ],
    examples: [
      "hotword models", "hotword models show computer",
      "hotword models export computer --format onnx --output computer.onnx",
    ])

  static let log = CommandDefinition.Option.value(
    "--log", "auto|plain|journal|json",
    "how messages are written; journal is plain with priorities, auto what suits standard error")
  static let logLevel = CommandDefinition.Option.value(
    "--log-level", "error|warning|notice|info|debug", "which messages are written (default: notice)")
  static let model = CommandDefinition.Option.value(
    "--model", "M", repeats: true, "a model's name or path, M:0.7 sets its sensitivity (default: computer)")
  private static let requiredModels = CommandDefinition.Option.value(
    "--model", "M", repeats: true, required: true, "a model's name or path; M:0.7 sets its sensitivity")
  static let sensitivity = CommandDefinition.Option.value(
    "--sensitivity", "S", "0 to 1 for all models without their own; 0.5 is the calibrated point")
  private static let onlyVoices = CommandDefinition.Option.flag(
    "--only-voices", "heed enrolled voices alone; see 'hotword enroll'")
  private static let intents = CommandDefinition.Option.value(
    "--intents", "FILE", "sentence templates in YAML (default: lights, timer, volume, time, lists)")
  private static let recognizers = CommandDefinition.Option.value(
    "--recognizer", "R", repeats: true,
    "what hears; several stand in for each other, in order (default: the intent file's choice, or pocketsphinx)"
  )
  private static let recognizerNote =
    """
    R is builtin or pocketsphinx, which hear the sentences of the intents; pocketsphinx:dictation; command:LINE that reads a WAV and prints text; or a server: wyoming:tcp://HOST:PORT, \
    vosk:ws://HOST:PORT, whisper:http://HOST:PORT, openai:https://HOST/v1. A server's options follow as \
    ,language=CODE ,model=NAME ,key=FILE ,ca=FILE.
    """
  private static let understanding = CommandDefinition.Option.value(
    "--understanding", "S", "a service that says what a text means; the intent file answers where it fails")
  private static let understandingNote =
    """
    S is rasa, homeassistant, dialogflow, wit, azure, luis, lex, watson or susi with its address, \
    rasa:http://localhost:5005, and options as ,key=FILE ,timeout=SECONDS; the README lists them.
    """
  private static let corpora =
    """
    DIR may be a corpus, recognised by itself: Common Voice (clips and validated.tsv), Speech Commands (a folder for \
    each word) or Kaldi (wav.scp and text). Where it is given as positives, what says the phrase alone is taken; as \
    negatives, what has the phrase nowhere; as noise, its background sounds. Speakers are never split.
    """
  private static let inputs =
    """
    INPUT is an audio file of any format, rate and channel count, or - for raw 16-bit 16 kHz mono \
    (or a WAV) on standard input.
    """
}
