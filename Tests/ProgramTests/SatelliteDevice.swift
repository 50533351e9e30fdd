import Platform
import TestServers
import Testing

/// A satellite by ESPHome's native API with files of its own, and the real client.
final class SatelliteDevice {
  private static let modules = ["aioesphomeapi"]
  static let hasClient = PythonServer.python(with: modules) != nil

  let server: WakeServer
  let folder = Program.temporaryFolder()
  let key: String
  var port: String { String(server.uri.split(separator: ":").last ?? "") }

  /// - Parameters:
  ///   - plays: whether it plays into `played.raw`.
  ///   - environment: more variables, `NAME=VALUE`.
  init(_ words: [String] = [], isEncrypted: Bool = true, plays: Bool = true, environment: String = "") throws
  {
    let device = """
      pcm.nothing { type null }
      pcm.out { type file slave.pcm nothing file "\(folder)/played.raw" format raw }
      """
    let configuration = try Program.file("asound.conf", Array(device.utf8))
    server = try WakeServer(
      ["--esphome", "--name", "Living Room", "--input", "-", "--pace", "--key", "\(folder)/my.key"]
        + ["--player", plays ? "alsa:out" : "none"] + (isEncrypted ? [] : ["--unencrypted"]) + words,
      command: "satellite", environment: "ALSA_CONFIG_PATH=\(configuration) \(environment)", isFed: true)
    let bytes = isEncrypted ? try Files.read("\(folder)/my.key") : Array("-".utf8)
    key = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
  }

  /// What Home Assistant prints.
  func home(_ behaviour: String, _ arguments: [String] = [], key: String? = nil) throws -> [JSON] {
    let python = PythonServer.python(with: Self.modules) ?? "python3"
    let words =
      [python, "-W", "ignore", PythonServer.script("esphome_home.py"), "127.0.0.1", port, key ?? self.key]
      + [behaviour, folder] + arguments
    let outcome = try Program.shell(words.map(Program.quoted).joined(separator: " "), timeout: 120)
    try #require(outcome.code == 0, "\(outcome.errors)\n\(server.messages)")
    return try outcome.objects
  }

  /// Plays the stream to the microphone once Home Assistant has the satellite.
  func listen(_ stream: [Int16]) throws {
    let program = server.program
    let folder = folder
    try DetachedThread.start {
      guard Waiting.until({ Files.exists("\(folder)/ready") }) else { return }
      program.write(stream)
      program.closeInput()
    }
  }
}

/// Serves one file by HTTP, whatever the path.
final class AudioServer {
  private let server: PythonServer

  init(_ file: [UInt8]) throws {
    let path = Program.temporaryFolder() + "/answer.wav"
    try Files.write(file, to: path)
    server = try PythonServer("file_server.py", [path])
  }

  var address: String { "http://127.0.0.1:\(server.port)/answer.wav" }
}
