import CommandLineParsing

/// The definitions of the commands that users type to `hotword` and that `hotword-train` performs.
///
/// Both programs need them: `hotword` for its help, manual pages and completions, `hotword-train` to parse. Each command's `run` is
/// in `HotwordTrainProgram`, because the listening program must not link what only training needs.
public enum TrainingCommands {
  public static let train = CommandDefinition(
    "train", "make a model of any phrase from recordings, synthesized speech, or both",
    operands: .upTo(1, "PHRASE"),
    options: [
      .value("--language", "CODE", "the phrase's language, as 'espeak-ng --voices' lists them (default: en)"),
      .value(
        "--pronunciation", "P", repeats: true,
        "the pronunciation: ARPAbet, [[espeak-ng's phonemes]], or spelled (default: spelled)"),
      .value(
        "--positives", "DIR", repeats: true,
        "recordings of the phrase; a sessions.tsv next to them splits them by session"),
      .value("--negatives", "DIR", repeats: true, "recordings of anything else: speech, music, television"),
      .value("--noise", "DIR", repeats: true, "background sounds to mix in"),
      .flag("--no-synthesis", "train on recordings only"),
      .value(
        "--synthesizer", "COMMAND",
        "a program that speaks a part of the texts: it reads lines of FILE, VOICE (0 to 99), RATE and TEXT, separated by tabs"
      ),
      .value(
        "--improve", "M", "make the next version of this model, a name or a path; instead of PHRASE"),
      .value(
        "--false-alarms", "DIR", repeats: true, "clips without the phrase that M detected; with --improve"),
      .value("--missed", "DIR", repeats: true, "clips of the phrase that M missed; with --improve"),
      .value(
        "--output", "FILE",
        "the model to write (default: PHRASE.safetensors in ./Models if that exists, else in "
          + "~/.local/share/hotword/models; or M's own file)"),
      .value(
        "--evaluation", "DIR",
        "also write the model that the card's rates were measured with, and NAME.held-out, the list of the recordings it was "
          + "not trained on"),
      .value("--seed", "N", "the same seed gives the same model (default: 1)"),
      .value("--steps", "N", "training batches per network (default: 1500, with --improve 300)"),
      .flag("--json", "print the report as one JSON object"),
      .value(
        "--progress", "text|json",
        "the format of the progress on standard error; json is an object for each half second (default: text)"
      ),
    ],
    notes: [
      """
      Training needs no network and no GPU and takes less than ten minutes on two cores. It ends with the model's measured \
      miss rate and false alarms on held-out recordings, written to the card next to the model.
      """,
      corpora,
      """
      --improve takes some minutes. It compares M with the next version, also on the last clips of each DIR, \
      which are held out for that; M:0.7 compares them at the sensitivity that you use. DIR is a folder of \
      'hotword review', or any clips. A model that is replaced stays next to the new one as NAME.safetensors.previous.
      """,
    ],
    examples: [
      "hotword train \"hello house\"",
      "hotword train computer --positives clips/computer --negatives speech --noise noise",
      "hotword train --improve computer --false-alarms clips/computer/false-alarms --missed clips/computer/missed",
      "hotword train Siobhan --pronunciation 'SH IH V AO1 N' --pronunciation \"[[S@v'O:n]]\"",
      "hotword train \"Guten Morgen\" --language de",
      "hotword train marvin --positives speech_commands --negatives speech_commands",
    ])

  public static let trainEncoder = CommandDefinition(
    "train-encoder", "make the pretrained encoder of all models, from transcribed speech",
    options: [
      .value(
        "--recordings", "DIR", repeats: true,
        "where the paths in the transcripts are looked up, besides the folder of each list"),
      .value(
        "--transcripts", "FILE", repeats: true,
        "lines of a file or folder, a tab, the words that are said in it, and perhaps a tab and the speaker"),
      .value("--negatives", "DIR", repeats: true, "speech to train and measure phrases against"),
      .value("--noise", "DIR", repeats: true, "background sounds to mix in"),
      .value("--rooms", "DIR", repeats: true, "recorded impulse responses of rooms"),
      .value(
        "--aligner", "FILE",
        "the encoder that aligns the recordings (default: a first one, trained on synthetic speech)"),
      .value("--from", "FILE", "the encoder of the same width whose training is continued with this data"),
      .flag(
        "--commands",
        "make an encoder for the recognition of commands instead: SEED.safetensors, used together with others"
      ),
      .value(
        "--output", "DIR", "the folder to write to (default: ./Models/training or ./Models/recognition/en)"),
      .value("--seed", "N", "the same seed gives the same encoder (default: 1)"),
      .value("--steps", "N", "training batches (default: enough for about twenty minutes)"),
      .value("--channels", "N", "the width of the network, 16 to 512"),
      .flag("--only-background", "make only the background, for the encoder in the output folder"),
      .flag("--only-bands", "make only the bands of speech, aligned by the encoder in the output folder"),
      .flag("--resume", "continue from the checkpoint in the output folder, with the same options"),
    ],
    notes: [
      """
      A training may take many hours. Every five minutes it writes encoder.checkpoint to the output folder, and every 500 \
      batches a line to encoder-accuracy.tsv: the share of correct sounds of speakers who are held out.
      """,
      """
      You rarely need it: an encoder comes with hotword. Models that were trained on another encoder contain it and \
      still run.
      """,
    ],
    examples: ["hotword train-encoder --recordings a --transcripts t --negatives b"])

  public static let evaluate = CommandDefinition(
    "evaluate", "measure a model: miss rate against false alarms per hour",
    options: [
      .value("--model", "M", required: true, "the model's name or path"),
      .value(
        "--positives", "DIR", repeats: true, required: true, "recordings of the phrase, one utterance each"),
      .value(
        "--negatives", "DIR", repeats: true, required: true,
        "hours without the phrase; the report lists its sub-folders separately"),
      .value("--noise", "DIR", repeats: true, "noise to mix into the recordings"),
      .value(
        "--snr", "DB", repeats: true, "signal-to-noise ratio in dB, several as 20,10,5 (default: 10)"),
      .value(
        "--target", "PERCENT", "the highest accepted miss rate at 0.5 false alarms per hour (default: 5)"),
      .value("--seed", "N", "selects the noise (default: 1)"),
      .value("--report", "DIR", "write the report there, with every score and plots (by gnuplot)"),
      .flag("--json", "print the report as one JSON object"),
    ],
    notes: [
      """
      Every rate has its 95 % confidence interval. Thresholds marked ~ are estimates, because the recordings are too short \
      to count such a rate. Sources marked ! cause more than their share of the false alarms.
      """,
      corpora,
    ],
    examples: [
      "hotword evaluate --model computer --positives clips/computer --negatives speech --noise noise --snr 10",
      "hotword evaluate --model jarvis:0.6 --positives jarvis --negatives house --report report --json",
    ])

  private static let corpora =
    """
    DIR may be a corpus, detected automatically: Common Voice (clips and validated.tsv), Speech Commands (a folder for \
    each word) or Kaldi (wav.scp and text). As positives, recordings of the phrase alone are used; as \
    negatives, recordings without the phrase; as noise, its background sounds. All recordings of a speaker are on the same side of a split.
    """
}
