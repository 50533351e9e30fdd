import CommandLine
import Detection
import Platform

/// `hotword models`: what is installed, and what a model says of itself.
enum ModelsCommand {
  static func run(_ arguments: Arguments) throws {
    switch (arguments.operands.first ?? "list", arguments.operands.dropFirst().first) {
    case ("list", nil): list()
    case ("show", let name?): try show(name)
    case ("show", nil): throw UsageFault.missingOperand("M", command: "models")
    case (let word, _): throw UsageFault.unexpectedOperand(word, command: "models")
    }
  }

  private static func list() {
    for entry in ModelStore.standard().list() {
      do throws(DetectionFault) {
        let model = try HotwordModel(reading: entry.path)
        Output.write("\(entry.name)\t\"\(model.phrase)\"\t\(entry.path)\n")
      } catch {
        Log.warning(error.message)
      }
    }
  }

  private static func show(_ name: String) throws {
    let store = ModelStore.standard()
    let reference = try ModelReference(name)
    let model = try store.model(reference)
    let shape = model.shape
    var lines = [
      ("name", model.name), ("phrase", model.phrase), ("file", try store.path(of: reference)),
      ("parameters", "\(model.networks.count) x \(shape.parameters)"),
      ("encoder", model.encoder.map { "\($0.shape.parameters) parameters, \($0.shape.json)" } ?? "none"),
      ("network", "\(shape.json)"), ("front end", "\(model.frontEnd.json)"),
      ("features", "\(model.features.json)"),
      ("decision", "\(model.decision.json)"), ("training", "\(model.training)"),
      ("curve", "threshold  false alarms per hour  miss rate"),
    ]
    for point in model.curve.points {
      let row = [point.threshold, point.falseAlarmsPerHour, point.missRate].map {
        "\(JSON.rounded($0, digits: 4))"
      }
      lines.append(("", row.joined(separator: "  ")))
    }
    for (term, text) in lines {
      Output.write(term + String(repeating: " ", count: 12 - term.count) + text + "\n")
    }
  }
}
