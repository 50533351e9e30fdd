import CommandLineParsing
import Configuration
import Dialogue
import Glibc
import Networking
import Platform
import Service
import Speakers
import Web

/// The page for browsers, with what only this program can show.
enum WebPage {
  /// Seconds that the doctor has.
  private static let longestCheck = 60.0

  /// Serves the page.
  ///
  /// - Parameters:
  ///   - service: nil to show only clips and sentences.
  ///   - teaching: see ``teaching(listen:)``; nil where phrases are not taught.
  ///   - settings: those in use.
  ///   - isOfService: whether the configuration file is one of `hotword run`, which `hotword doctor` reads.
  ///   - load: reads the settings again, with the text in place of the file if there is one.
  static func serve(
    _ access: WebAccess, _ service: RunningService?, views: [WebProgram.View] = WebProgram.View.allCases,
    teaching: TeachProgram? = nil, isOfService: Bool = true,
    settings: @escaping @Sendable () -> ServiceSettings,
    load: @escaping @Sendable (_ text: [UInt8]?) -> LoadedSettings
  ) throws -> WebServer {
    let program = WebProgram(
      views: views, teaching: teaching, service: service, settings: settings,
      sentences: { file in IntentListing(try IntentCatalogue(PlugIns.intents(file), listsAll: false)).json },
      devices: devices, findings: { try findings(load(nil), isOfService) },
      check: {
        let loaded = load(nil)
        return (loaded.file, ConfigurationCheck.faults(in: loaded, opensDevices: service == nil))
      },
      configuration: {
        load(nil).file.map { file in
          EditedFile(file) { ConfigurationCheck.faults(in: load($0), opensDevices: false) }
        }
      },
      intents: {
        settings().intents.map { file in
          EditedFile(file) { ConfigurationCheck.faults(inIntents: $0, file: file) }
        }
      }, voices: { try VoiceStore.standard().names() })
    let token = try access.tokenFile.map { try WebToken.load($0) }
    let server = try WebServer(access, token: token?.text, program)
    Log.note("page for browsers at \(server.location)")
    if let file = access.tokenFile, let token { show(token, file) }
    return server
  }

  /// The programs and folders to teach phrases.
  ///
  /// - Parameter listen: see `TeachProgram`.
  static func teaching(listen: (@Sendable (String) -> Void)?) -> TeachProgram {
    TeachProgram(program: "/proc/self/exe", training: TrainingProgram.path, listen: listen)
  }

  /// A new token is shown once, to a person at a terminal: a log keeps what is written to it.
  private static func show(_ token: WebToken, _ file: String) {
    if token.isNew, isatty(STDERR_FILENO) == 1 {
      _ = writeAll(Array("the page asks for this token: \(token.text)\n".utf8), to: STDERR_FILENO)
    }
    Log.note("the page asks for the token in \(file)")
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

  private static func findings(_ loaded: LoadedSettings, _ isOfService: Bool) throws -> [JSON] {
    let file = isOfService ? loaded.file.map { ["--config", $0] } ?? [] : []
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
