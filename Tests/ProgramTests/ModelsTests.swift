import Glibc
import Platform
import TestServers
import Testing

/// What `hotword models` prints and exports.
@Suite(.limited, .needsProgram) struct ModelsTests {
  @Test func showPrintsCostSensitivitiesAndLicences() throws {
    let text = try Program.run(["models", "show", "computer"])
    #expect(text.code == 0, "\(text.errors)")
    let terms = text.lines.map { String($0.prefix { $0 != " " }) }
    for term in ["phrase", "language", "file", "parameters", "cost", "measured", "sensitivity", "licences"] {
      #expect(terms.contains(term), "\(text.output)")
    }
    #expect(text.output.contains("CC BY 4.0"), "the card's licences")
    let json = try #require(try Program.run(["models", "show", "computer", "--json"]).objects.first)
    #expect(json["phrase"]?.string == "computer" && json["language"]?.string == "en")
    #expect(
      try json["bytes"]?.number == Double(Files.read("\(Program.root)/Models/computer.safetensors").count))
    #expect(json["parameters"]?.number == 996_061)
    #expect((5e6...5e7).contains(json["multiplyAddsPerSecond"]?.number ?? 0))
    #expect((0.1...100).contains(json["millisecondsPerSecond"]?.number ?? 0))
    let thresholds = json["sensitivities"]?.array?.compactMap { $0["threshold"]?.number } ?? []
    #expect(thresholds.count == 11 && thresholds == thresholds.sorted(by: >) && thresholds[5] == 0.5)
    #expect(json["licences"]?.array?.isEmpty == false)
  }

  @Test func anExportIsWrittenCompletelyOrNotAtAll() throws {
    let folder = Program.temporaryFolder()
    let path = "\(folder)/computer.onnx"
    let outcome = try Program.run(["models", "export", "computer", "--output", path])
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(try Files.read(path).count > 1_300_000)
    #expect(try Files.names(in: folder) == ["computer.onnx"])
    let refused = try Program.run(
      ["models", "export", "computer", "--format", "onnx", "--output", "/nonexistent/x.onnx"])
    #expect(refused.code == ExitCode.inputOutput.rawValue)
    #expect(refused.onlyError?.contains("/nonexistent/x.onnx") == true)
  }

  @Test func mistakesAreReported() throws {
    let path = "\(Program.temporaryFolder())/x"
    let export = ["models", "export", "computer"]
    for (words, part) in [
      (export + ["--format", "onx", "--output", path], "did you mean onnx?"),
      (export + ["--format", "tflite", "--output", path], "onnx"),
      (["models", "export"], "M"), (["models", "sohw", "computer"], "did you mean show?"),
    ] {
      let outcome = try Program.run(words)
      #expect(outcome.code == ExitCode.usage.rawValue, "\(words)")
      #expect(outcome.onlyError?.contains(part) == true, "\(outcome.errors)")
    }
    #expect(!Files.exists(path))
  }
}
