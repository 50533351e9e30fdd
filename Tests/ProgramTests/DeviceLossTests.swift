import AudioCapture
import Glibc
import Platform
import TestServers
import Testing

/// A device of alsa-lib that follows a script.
enum ScriptedDevice {
  private static let library = Program.temporaryFolder() + "/scripted.so"
  static let isBuilt: Bool = {
    let source = "\(Program.root)/Tests/AudioCaptureTests/Fixtures/scripted.c"
    let line = "$(command -v cc || command -v clang) -shared -fPIC -DPIC -O1 \(source) -lasound -o \(library)"
    return (try? Program.shell(line).code) == 0
  }()

  /// A new folder with the order for the device `scripted` to give, and `asound.conf`, which names it.
  static func folder() throws -> String {
    let folder = Program.temporaryFolder()
    let raw = try Files.read(try Recordings.raw(Recordings.order))
    try Files.write(raw, to: "\(folder)/script.raw")
    let configuration = """
      pcm_type.scripted { lib "\(library)" }
      pcm.scripted { type scripted script "\(folder)/script" }
      """
    try Files.write(Array(configuration.utf8), to: "\(folder)/asound.conf")
    return folder
  }
}

/// A microphone that is pulled out and put back.
@Suite(
  .limited, .needsProgram,
  .enabled(if: ScriptedDevice.isBuilt, "no C compiler or alsa headers to build the scripted device")
)
struct DeviceLossTests {
  /// The service on a device that gives the command.
  private func start(recognizer: String, _ folder: String) throws -> RunningProgram {
    try RunningProgram(
      ["run", "--input", "alsa:scripted", "--events", "json", "--recognizer", "command:\(recognizer)"],
      environment: "ALSA_CONFIG_PATH=\(folder)/asound.conf")
  }

  /// Takes the device away.
  private func remove(_ folder: String) throws {
    unlink("\(folder)/script.raw")
    try Files.write([], to: "\(folder)/script.gone")
  }

  /// Gives the device back, and ends the service once it listens again.
  private func restore(_ folder: String, _ service: RunningProgram) throws -> [JSON] {
    unlink("\(folder)/script.gone")
    #expect(service.waits(for: "overrun"))
    let outcome = try service.end(by: SIGINT)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.objects
  }

  private func names(_ events: [JSON]) -> [String] {
    events.compactMap { $0["state"]?.string ?? $0["event"]?.string }
  }

  @Test func anAnswerComesWhileTheMicrophoneIsGone() throws {
    let folder = try ScriptedDevice.folder()
    // The recognizer answers once the microphone is gone.
    let recognizer =
      "touch \(folder)/asked; until [ -e \(folder)/answer ]; do sleep 0.05; done; echo lights on"
    let service = try start(recognizer: recognizer, folder)
    #expect(Waiting.until { Files.exists("\(folder)/asked") }, "\(service.errors)")
    try remove(folder)
    #expect(service.waits(for: "lost"))
    try Files.write([], to: "\(folder)/answer")
    #expect(service.waits(for: "idle"))
    let events = try restore(folder, service)
    #expect(
      names(events) == [
        "ready", "wake", "listening", "lost", "transcript", "intent", "action", "reply", "idle", "recovered",
        "overrun",
      ])
  }

  @Test func listeningEndsWithTheMicrophone() throws {
    let folder = try ScriptedDevice.folder()
    let service = try start(recognizer: "echo lights on", folder)
    #expect(service.waits(for: "listening"), "\(service.errors)")
    try remove(folder)
    #expect(service.waits(for: "idle"))
    let events = try restore(folder, service)
    #expect(
      names(events) == [
        "ready", "wake", "listening", "lost", "error", "reply", "idle", "recovered", "overrun",
      ])
  }
}
