import CommandLineParsing
import Detection
import ONNXExport
import Platform

/// `hotword models`: what is installed, what a model says of itself, and its networks for other programs.
enum ModelsCommand {
  static func run(_ arguments: Arguments) throws {
    let words = arguments.operands
    switch words.first {
    case "show": try show(model(words), asJSON: arguments.has("--json"))
    case "export": try export(model(words), arguments)
    default:
      if words.count > 1 { throw UsageFault.unexpectedOperand(words[1], command: name) }
      list()
    }
  }

  private static let name = CommandTable.models.name

  private static func model(_ words: [String]) throws(UsageFault) -> String {
    guard words.count > 1 else { throw .missingOperand("M", command: name) }
    return words[1]
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

  private static func show(_ name: String, asJSON: Bool) throws {
    let report = try ModelReport(ModelStore.standard().path(of: ModelReference(name)))
    if asJSON { Output.line(report.json) } else { Output.write(report.text) }
  }

  private static func export(_ name: String, _ arguments: Arguments) throws {
    guard arguments.has("--format") else { throw missing("--format", "onnx") }
    guard let output = arguments.value("--output") else { throw missing("--output", "FILE") }
    let model = try ModelStore.standard().model(ModelReference(name))
    try ONNXModel(model).write(to: output, version: Program.version)
  }

  private static func missing(_ option: String, _ value: String) -> UsageFault {
    .missingOption(option, value: value, command: name)
  }
}
