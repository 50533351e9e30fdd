import CommandLineParsing
import Configuration
import Dialogue
import Networking
import Platform
import Service
import Web

/// The page for browsers, with what only this program can show.
enum WebPage {
  /// Seconds that the doctor has.
  private static let longestCheck = 60.0

  /// Serves the page at `address`.
  ///
  /// - Parameters:
  ///   - service: nil to show only clips and sentences.
  ///   - settings: those in use.
  ///   - load: reads the settings again.
  static func serve(
    at address: HTTPAddress, _ service: RunningService?,
    settings: @escaping @Sendable () -> ServiceSettings, load: @escaping @Sendable () -> LoadedSettings
  ) throws -> WebServer {
    let program = WebProgram(
      service: service, settings: settings,
      sentences: { file in IntentListing(try IntentCatalogue(PlugIns.intents(file), listsAll: false)).json },
      devices: devices, findings: { try findings(load()) },
      check: {
        let loaded = load()
        return (loaded.file, ConfigurationCheck.faults(in: loaded, opensDevices: service == nil))
      })
    let server = try WebServer(address, program)
    Log.note("page for browsers at http://\(server.address)/")
    return server
  }

  // ALSA's plug-ins print to standard error, which a service needs for its log: a process of its own opens the devices. It also
  // keeps the memory of the checks out of the service.

  private static func devices() throws -> [JSON] {
    let result = try own(["devices"])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(
        String.init)
      return [
        "name": .string(fields[0]), "state": .string(fields.count > 1 ? fields[1] : ""),
        "description": .string(fields.count > 2 ? fields[2] : ""),
      ]
    }
  }

  private static func findings(_ loaded: LoadedSettings) throws -> [JSON] {
    let file = loaded.file.map { ["--config", $0] } ?? []
    let models = loaded.settings.models.flatMap { ["--model", $0] }
    let result = try own(
      ["doctor", "--json", "--no-input", "--input", loaded.settings.input] + file + models)
    return try result.output.split(separator: UInt8(ascii: "\n")).map {
      try JSON(parsing: Array($0), what: "hotword doctor")
    }
  }

  private static func own(_ words: [String]) throws -> Subprocess.Result {
    try Subprocess(["/proc/self/exe"] + words).run(timeout: longestCheck, keepsErrors: true)
  }
}
