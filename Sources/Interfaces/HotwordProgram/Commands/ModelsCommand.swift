import CommandLineParsing
import Detection
import ONNXExport
import Platform

/// `hotword models`: lists the installed models, describes one, or exports its networks for other programs.
enum ModelsCommand: Command {
  static let definition = CommandDefinition(
    "models", "list the installed models, show one, or export one for other programs",
    operands: .upTo(2, "list|show M|export M"),
    options: [
      .flag("--json", "print one JSON object, without show one for each model"),
      .value("--format", "onnx", "with export: the format (default: onnx)"),
      .value("--output", "FILE", "with export: the file to write (default: M.onnx)"),
    ],
    notes: [
      """
      show prints the phrase, the cost of the model, the effect of each sensitivity, and the licences of its training \
      data. export writes its networks for onnxruntime and similar programs; their inputs are the vectors that hotword's \
      front end and features produce.
      """
    ],
    examples: [
      "hotword models", "hotword models show computer",
      "hotword models export computer --output computer.onnx",
    ])

  static func run(_ arguments: Arguments) throws {
    let words = arguments.operands
    switch words.first {
    case "show": try show(model(words), asJSON: arguments.has("--json"))
    case "export": try export(model(words), arguments)
    default:
      if words.count > 1 { throw UsageFault.unexpectedOperand(words[1], command: name) }
      try list(asJSON: arguments.has("--json"))
    }
  }

  private static func model(_ words: [String]) throws(UsageFault) -> String {
    guard words.count > 1 else { throw .missingOperand("M", command: name) }
    return words[1]
  }

  private static func list(asJSON: Bool) throws(DetectionFault) {
    let store = ModelStore.standard()
    let entries = store.list()
    if entries.isEmpty { throw .noModels(folders: store.folders) }
    for entry in entries {
      do throws(DetectionFault) {
        let phrase = try HotwordModel(reading: entry.path).phrase
        if asJSON {
          Output.line(["name": .string(entry.name), "phrase": .string(phrase), "path": .string(entry.path)])
        } else {
          Output.write("\(entry.name)\t\"\(phrase)\"\t\(entry.path)\n")
        }
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
    let model = try ModelStore.standard().model(ModelReference(name))
    try ONNXModel(model).write(
      to: arguments.value("--output") ?? "\(model.name).onnx", version: Program.version)
  }
}
