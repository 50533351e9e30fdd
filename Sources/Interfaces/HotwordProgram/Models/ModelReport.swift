import Detection
import Platform

/// The output of `models show`.
struct ModelReport {
  private let model: HotwordModel
  private let path: String
  private let bytes: Int
  private let milliseconds: Double
  private let card: (path: String, text: String)?

  init(_ path: String) throws {
    self.path = path
    model = try HotwordModel(reading: path)
    bytes = try Files.read(path).count
    milliseconds = try ListeningCost.milliseconds(of: model)
    card = CardLicences.card(of: path)
  }

  private var licences: [CardLicences.Source] { card.map { CardLicences(card: $0.text).sources } ?? [] }

  private var settings: [SensitivitySetting] { model.settings(steps: 10) }
}

extension ModelReport {
  var json: JSON {
    [
      "name": .string(model.name), "phrase": .string(model.phrase), "language": .string(model.language),
      "file": .string(path), "bytes": .number(Double(bytes)), "card": card.map { .string($0.path) } ?? .null,
      "parameters": .number(Double(model.parameters)),
      "multiplyAddsPerSecond": .number(model.multiplyAddsPerSecond.rounded()),
      "millisecondsPerSecond": .rounded(milliseconds), "stepSeconds": .number(model.stepSeconds),
      "sensitivities": .array(settings.map(\.json)),
      "licences": .array(
        licences.map { ["source": .string($0.name), "licence": .string($0.licence)] }),
      "encoder": model.encoder?.shape.json ?? .null, "sounds": model.sounds?.json ?? .null,
      "network": model.shape.json,
      "networks": .number(Double(model.networks.count)), "path": model.path?.json ?? .null,
      "secondStage": model.secondStage?.json ?? .null,
      "frontEnd": model.frontEnd.json, "features": model.features.json, "decision": model.decision.json,
      "curve": model.curve.json, "training": model.training,
    ]
  }

  /// Lines of a term and its text; a line without a term continues the previous one.
  var text: String {
    let cost =
      "\(Self.decimals(model.multiplyAddsPerSecond / 1e6, 1)) million multiplications per second; "
      + "\(Self.decimals(milliseconds, 2)) ms of processor time per second on this machine, in total"
    var rows: [(String, String)] = [
      ("name", model.name), ("phrase", model.phrase), ("language", model.language),
      ("file", "\(path), \(Self.decimals(Double(bytes) / 1e6, 2)) MB"), ("card", card?.path ?? "none"),
      ("parameters", parameters), ("cost", cost), ("measured", measured),
    ]
    rows += curve + licenceRows
    rows += [
      ("encoder", model.encoder.map { "\($0.shape.json)" } ?? "none"), ("network", "\(model.shape.json)"),
      ("second stage", model.secondStage.map { "\($0.json)" } ?? "none"),
      ("front end", "\(model.frontEnd.json)"), ("features", "\(model.features.json)"),
      ("decision", "\(model.decision.json)"), ("training", "\(model.training)"),
    ]
    return rows.map { Self.padded($0.0, 14) + $0.1 + "\n" }.joined()
  }

  private var parameters: String {
    let networks = "\(model.networks.count) networks of \(model.shape.parameters)"
    guard let encoder = model.encoder else { return "\(model.parameters): \(networks)" }
    let second = model.secondStage == nil ? "" : "; the rest is the second stage"
    return "\(model.parameters): an encoder of \(encoder.shape.parameters), \(networks)\(second)"
  }

  private var measured: String {
    let held = model.training["heldOut"]
    guard let positives = held?["positives"], let hours = held?["hours"] else {
      return card == nil ? "not on recordings of the phrase that were held out" : "see the card"
    }
    return "on \(positives) recordings of the phrase and \(hours) h of other audio, all held out"
  }

  private var curve: [(String, String)] {
    let heading = ("sensitivity", "  threshold  target false alarms per hour    miss rate")
    return [heading]
      + settings.map { setting in
        let missed = setting.missRate.map { Self.decimals(100 * $0, 1) + " %" } ?? "unknown"
        return (
          "  \(Self.decimals(setting.sensitivity.value, 1))",
          "  " + Self.padded(Self.decimals(setting.threshold, 3), 11)
            + Self.padded(Self.decimals(setting.falseAlarmsPerHour, 2), 32) + missed
        )
      }
  }

  private var licenceRows: [(String, String)] {
    let rows = licences.map { "\($0.name): \($0.licence)" }
    guard let first = rows.first else {
      return [("licences", card == nil ? "no card" : "none on the card")]
    }
    return [("licences", first)] + rows.dropFirst().map { ("", $0) }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func decimals(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let whole = Int((value * Double(scale)).rounded())
    let fraction = String(whole % scale)
    return "\(whole / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
