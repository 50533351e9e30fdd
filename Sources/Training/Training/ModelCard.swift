import Detection
import Evaluation
import Platform

/// The page beside a model that says what it is, what it was made of, and how well it does.
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

  /// The card as Markdown; it holds no date, so that one training gives one card.
  package var markdown: String {
    """
    # \(name)

    A hotword model for the phrase "\(phrase)", one file: `\(name).safetensors`.

    ## Measured on recordings that it did not train on

    \(results)

    ## Made of

    \(data)

    ## Network

    \(settings.networks) networks whose outputs are averaged, each of \(settings.shape.parameters) parameters: \
    \(settings.shape.blocks) dilated causal blocks of \(settings.shape.channels) channels over the phonemes of the \
    shared encoder (\(encoder.network.shape.parameters) parameters), one output every \
    \(Int(encoder.network.shape.stepSeconds * 1000)) ms; each fitted in \(settings.steps) steps of \(settings.batchSize) windows of \(decimals(windowSeconds, 1)) s, hard negatives \
    mined twice, weights averaged.

    ## Made by

        \(command)

    Seed \(settings.seed). The same recordings, seed and kind of processor give the same model, byte for byte.
    \(credits)
    """
  }

  /// What the model, or its twin, did on what it did not train on.
  package var report: EvaluationReport {
    EvaluationReport(model: name, threshold: 0.5, scores: calibration.scores(of: heldOut))
  }

  /// Misses that a model of recordings, and one of text alone, should stay below at 0.5 false alarms an hour.
  private static let recordedTarget = 0.03
  private static let textTarget = 0.15

  package var verdict: Verdict {
    report.verdict(
      on: EvaluationTarget(missRate: heldOut.areSynthetic ? Self.textTarget : Self.recordedTarget),
      of: ModelOrigin(
        phrase: phrase, recordings: corpus.positives.count + corpus.heldOutPositives.count,
        speakers: corpus.groups + corpus.heldOutGroups, negativeHours: negativeHours))
  }

  private var results: String {
    let text = report.text + "\n" + verdict.text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var result = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    if !heldOut.areSynthetic {
      result += """
        \n\nThese are the numbers of a twin, trained alike but without those sessions; the model itself learned \
        from them too.
        """
    }
    return result
  }

  private var data: String {
    var lines: [String] = []
    if !(corpus.positives + corpus.heldOutPositives).isEmpty {
      lines.append(
        "- \(corpus.positives.count + corpus.heldOutPositives.count) recordings of the phrase from "
          + "\(corpus.groups + corpus.heldOutGroups) sessions")
    }
    if !corpus.syntheticPositives.isEmpty || !corpus.syntheticNegatives.isEmpty {
      lines.append(
        "- \(corpus.syntheticPositives.count) synthetic utterances of the phrase and "
          + "\(corpus.syntheticNegatives.count) of other words, near words among them, by espeak-ng and flite"
      )
    }
    if !corpus.negatives.isEmpty {
      lines.append(
        "- \(decimals(negativeHours, 2)) h of other recordings, up to \(corpus.negatives.count) files; "
          + "\(corpus.heldOutNegatives.count) files kept aside")
    }
    if !corpus.noise.isEmpty { lines.append("- \(corpus.noise.count) recordings of noise") }
    lines.append(
      "- each put into simulated rooms, noise, levels, colours and speeds: \(streams) streams of features")
    for flaw in corpus.leftOut.prefix(40) { lines.append("- left out: \(flaw)") }
    if corpus.leftOut.count > 40 { lines.append("- left out: \(corpus.leftOut.count - 40) more") }
    return lines.joined(separator: "\n")
  }

  private var credits: String {
    let folders = settings.positives + settings.negatives + settings.noise
    let sections = Credits.sections(above: folders)
    guard !sections.isEmpty else { return "" }
    return "\n## Credits\n\n" + sections.joined(separator: "\n\n") + "\n"
  }
}

private func decimals(_ value: Double, _ digits: Int) -> String { Decimals.text(value, digits) }

/// What `SOURCES.md` files say about the recordings used.
enum Credits {
  /// The sections (`## folder` with its lines) that name a folder used or one below or above it.
  static func sections(above folders: [String]) -> [String] {
    var seen: Set<String> = []
    var result: [String] = []
    for folder in folders {
      var base = folder
      while base.count > 1, base.hasSuffix("/") { base.removeLast() }
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
