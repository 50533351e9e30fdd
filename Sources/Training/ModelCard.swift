import Evaluation
import Platform

/// The page beside a model that says what it is, what it was made of, and how well it does.
package struct ModelCard: Sendable {
  package var phrase: String
  package var name: String
  package var command: String
  package var settings: TrainingSettings
  package var corpus: Corpus
  package var heldOut: HeldOut
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
    \(settings.shape.blocks) dilated causal blocks of \(settings.shape.channels) channels, one output every \
    \(Int(settings.shape.stepSeconds * 1000)) ms; each fitted in \(settings.steps) steps of \(settings.batchSize) windows of \(decimals(windowSeconds, 1)) s, hard negatives \
    mined twice, weights averaged.

    ## Made by

        \(command)

    Seed \(settings.seed). The same recordings, seed and kind of processor give the same model, byte for byte.
    \(credits)
    """
  }

  private var results: String {
    let clean = heldOut.clean.count
    let who = heldOut.areSynthetic ? "synthetic speakers" : "recordings of \(corpus.heldOutGroups) sessions"
    var text = ""
    if clean > 0 {
      text += """
        | at sensitivity 0.5 | | 95 % interval |
        |---|---|---|
        | missed, as recorded | \(share(calibration.missed, clean)) | \(interval(calibration.missed, clean)) |
        | missed, 10 dB noise | \(share(calibration.missedInNoise, clean)) | \
        \(interval(calibration.missedInNoise, clean)) |
        | false alarms | \(calibration.falseAlarms) in \(decimals(heldOut.hours, 2)) h | \
        \(alarmInterval) per hour |

        Of \(clean) \(who) of the phrase; one utterance each.
        """
      if !heldOut.areSynthetic {
        text +=
          " " + """
            These are the numbers of a twin, trained alike but without those sessions; the model itself learned \
            from them too.
            """
      }
    } else {
      text += "No recording of the phrase was kept aside: its misses are not known."
    }
    if heldOut.negativesAreSynthetic {
      text += """
        \nFalse alarms were counted on synthetic speech alone, near words above all: give hours of real sound \
        with `--negatives` for a threshold that means half a false alarm an hour.
        """
    } else {
      text += """
        \nThe threshold aims at 0.5 false alarms an hour; beyond what the hours above can count, an exponential \
        tail fitted to the highest peaks tells the rate.
        """
    }
    if calibration.isGuess { text += "\nThe threshold is a guess from synthetic speakers." }
    let rows = [0.1, 0.25, 0.5, 1, 2, 5].compactMap { rate -> String? in
      guard
        let point = calibration.curve.points.min(by: {
          abs($0.falseAlarmsPerHour - rate) < abs($1.falseAlarmsPerHour - rate)
        })
      else { return nil }
      return
        "| \(decimals(rate, 2)) | \(decimals(point.missRate * 100, 1)) % | \(decimals(point.threshold, 3)) |"
    }
    if clean > 0, !rows.isEmpty {
      text +=
        "\n\n| expected false alarms per hour | missed | score threshold |\n|---|---|---|\n"
        + rows.joined(separator: "\n")
    }
    return text
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

  private func share(_ count: Int, _ total: Int) -> String {
    "\(count) of \(total), \(decimals(100 * Double(count) / Double(total), 1)) %"
  }

  private func interval(_ count: Int, _ total: Int) -> String {
    let interval = Interval.share(count, of: total)
    return "\(decimals(100 * interval.low, 1))–\(decimals(100 * interval.high, 1)) %"
  }

  private var alarmInterval: String {
    let interval = Interval.rate(calibration.falseAlarms, in: heldOut.hours)
    return "\(decimals(interval.low, 2))–\(decimals(interval.high, 2))"
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
