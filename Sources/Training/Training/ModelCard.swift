import Detection
import Evaluation
import Platform

/// The Markdown page next to a model: what it is, what it was made from, and how accurate it is.
package struct ModelCard: Sendable {
  package var phrase: String
  package var name: String
  package var command: String
  package var settings: TrainingSettings
  package var corpus: Corpus
  package var encoder: PhonemeEncoder
  package var heldOut: HeldOutScores
  package var calibration: Calibration
  package var negativeHours: Double
  package var streams: Int
  package var windowSeconds: Double
  /// The version before, whose network was trained further; nil for a new model.
  package var before: ModelOrigin?
  package var isImproved: Bool { before != nil }

  /// The card as Markdown. It contains no date, so that identical trainings have identical cards.
  package var markdown: String {
    """
    # \(name)

    A hotword model for the phrase "\(phrase)", one file: `\(name).safetensors`.

    ## Accuracy on recordings that were held out of training

    \(results)
    \(similar)
    ## Training data

    \(data)

    ## Network

    \(network)

    ## Command

        \(command)

    Seed \(settings.seed). The same recordings, voices, seed and processor type produce the same model, byte for byte.
    \(credits)
    """
  }

  private var network: String {
    let shape = isImproved ? settings.shape : settings.distilledShape
    let size =
      "\(shape.parameters) parameters: \(shape.blocks) dilated causal blocks of \(shape.channels) channels on the phoneme "
      + "outputs of the shared encoder (\(encoder.network.shape.parameters) parameters), with one output every "
      + "\(Int(encoder.network.shape.stepSeconds * 1000)) ms."
    let windows =
      "for \(settings.steps) steps of \(settings.batchSize) windows of \(decimals(windowSeconds, 1)) s"
    let second =
      settings.embedding == nil
      ? ""
      : " A second stage judges what it proposes, by a speech embedding (\(SpeechEmbedding.parameters) parameters)."
    return isImproved
      ? "\(size) It is the network of the version before, trained \(windows).\(second)"
      : "\(size) It learned the mean output of \(settings.networks) networks of \(settings.shape.channels) channels. Each "
        + "was trained \(windows), with two rounds of hard-negative mining and weight averaging.\(second)"
  }

  /// The synthesizers that spoke, with the voices of those that need not be installed.
  private var voices: String {
    let installed = Dictionary(grouping: InstalledVoice.all, by: \.program.rawValue).sorted {
      $0.key < $1.key
    }
    .map { "\($0.key) (\($0.value.map(\.name).joined(separator: ", ")))" }
    let command = settings.synthesizer.map { SynthesizerCommand($0).name }
    return (["espeak-ng", "flite"] + installed + [command].compactMap { $0 }).joined(separator: ", ")
  }

  /// The accuracy of the model, or of its evaluation model, on held-out data.
  package var report: EvaluationReport {
    EvaluationReport(model: name, threshold: 0.5, scores: calibration.scores(of: heldOut))
  }

  /// Target miss rates at 0.5 false alarms per hour, for models trained with recordings and from text alone.
  private static let recordedTarget = 0.03
  private static let textTarget = 0.15

  package var verdict: Verdict {
    report.verdict(
      on: EvaluationTarget(missRate: heldOut.areSynthetic ? Self.textTarget : Self.recordedTarget),
      of: ModelOrigin(
        phrase: phrase, recordings: max(corpus.allRecordings, before?.recordings ?? 0),
        speakers: max(corpus.allGroups, before?.speakers ?? 0), negativeHours: negativeHours)
    ) {
      calibration.curve.threshold(
        for: (try? Sensitivity($0)) ?? .standard, calibrated: calibration.decision.threshold)
    }
  }

  private var results: String {
    let text = report.text + "\n" + verdict.text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var result = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    if !heldOut.areSynthetic, !heldOut.clean.isEmpty {
      result +=
        isImproved
        ? """
        \n\nThese results are from an evaluation model that was trained further without those sessions. The version before, \
        from which it started, has learned them if it was trained on the same recordings; then expect more misses.
        """
        : """
        \n\nThese results are from an evaluation model that was trained in the same way without those sessions. The model \
        itself was also trained on them.
        """
    }
    return result
  }

  private var similar: String {
    let similar = calibration.similarSpeech(heldOut)
    guard !similar.counts.isEmpty else { return "" }
    return """

      ## Similar speech

      Spoken by synthetic voices that were not trained, at the threshold as set. The training contains parts of the phrase and other \
      similar phrases by other voices.

      \(similar.text)

      """
  }

  private var data: String {
    var lines: [String] = []
    if corpus.allRecordings > 0 {
      lines.append("- \(corpus.allRecordings) recordings of the phrase from \(corpus.allGroups) sessions")
    }
    if !corpus.syntheticPositives.isEmpty || !corpus.syntheticNegatives.isEmpty {
      lines.append(
        "- \(corpus.syntheticPositives.count) synthetic utterances of the phrase and "
          + "\(corpus.syntheticNegatives.count) of other words, including similar words, by \(voices)"
      )
    }
    if corpus.hasJoinedSpeech {
      lines.append(
        "- the phrase and similar ones, joined from pieces of transcribed speech in the background")
    }
    if !corpus.negatives.isEmpty {
      lines.append(
        "- \(decimals(negativeHours, 2)) h of other recordings, up to \(corpus.negatives.count) files; "
          + "\(corpus.heldOutNegatives.count) files held out")
    }
    if !corpus.noise.isEmpty { lines.append("- \(corpus.noise.count) recordings of noise") }
    lines.append(
      "- augmented with simulated rooms, noise, levels, equalization and speeds: \(streams) feature streams")
    for flaw in corpus.leftOut.prefix(40) { lines.append("- excluded: \(flaw)") }
    if corpus.leftOut.count > 40 { lines.append("- excluded: \(corpus.leftOut.count - 40) more") }
    return lines.joined(separator: "\n")
  }

  private var credits: String {
    let folders = settings.positives + settings.negatives + settings.noise
    let sections = [Credits.encoder] + Credits.sections(above: folders)
    return "\n## Credits\n\n" + sections.joined(separator: "\n\n") + "\n"
  }
}

private func decimals(_ value: Double, _ digits: Int) -> String { Decimals.text(value, digits) }

/// The parts of `SOURCES.md` files about the recordings used.
enum Credits {
  /// What every model contains or was trained against.
  static let encoder = """
    ### the encoder and the background that come with hotword

    - licence: of each source in training/encoder.md, in the folder of the shipped models

    ### Google's speech embedding, which the second stage reads

    - licence: Apache-2.0
    """

  /// Returns the sections (`## folder` with its lines) that name a folder used or one below or above it.
  static func sections(above folders: [String]) -> [String] {
    var seen: Set<String> = []
    var result: [String] = []
    for folder in folders {
      var base = Files.withoutTrailingSlashes(folder)
      var below: [String] = []
      for _ in 0..<4 {
        if let bytes = try? Files.read("\(base)/SOURCES.md", limit: 1 << 20) {
          let path = below.reversed().joined(separator: "/")
          for section in split(String(decoding: bytes, as: UTF8.self)) where matches(section.folder, path) {
            if seen.insert(section.folder).inserted { result.append(section.text) }
          }
          break
        }
        guard let slash = base.lastIndex(of: "/"), slash != base.startIndex else { break }
        below.append(String(base[base.index(after: slash)...]))
        base = String(base[..<slash])
      }
    }
    return result
  }

  private static func matches(_ section: String, _ path: String) -> Bool {
    path.isEmpty || section == path || section.hasPrefix(path + "/") || path.hasPrefix(section + "/")
  }

  private static func split(_ text: String) -> [(folder: String, text: String)] {
    var sections: [(folder: String, text: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        sections.append((String(line.dropFirst(3)), "### \(line.dropFirst(3))\n"))
      } else if !sections.isEmpty, !line.isEmpty {
        sections[sections.count - 1].text += "\n\(line)"
      }
    }
    return sections
  }
}
