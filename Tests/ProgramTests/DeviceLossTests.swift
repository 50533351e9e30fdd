import AudioCapture
import Platform
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
@Suite(.enabled(if: ScriptedDevice.isBuilt, "no C compiler or alsa headers to build the scripted device"))
struct DeviceLossTests {
  /// Runs the service on a device that gives the order, is gone from `gone` to `back`, and is left at `end` seconds.
  private func run(gone: Double, back: Double, end: Double, recognizer: String) throws -> [JSON] {
    let folder = try ScriptedDevice.folder()
    let line = """
      (sleep \(gone); rm \(folder)/script.raw; touch \(folder)/script.gone; sleep \(back - gone); \
      rm \(folder)/script.gone) &
      ALSA_CONFIG_PATH=\(folder)/asound.conf timeout --preserve-status -s INT \(end) hotword run \
      --input alsa:scripted --events json --recognizer 'command:\(recognizer)'
      """
    let outcome = try Program.shell(line)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.objects
  }

  private func names(_ events: [JSON]) -> [String] {
    events.compactMap { $0["state"]?.string ?? $0["event"]?.string }
  }

  @Test func anAnswerComesWhileTheMicrophoneIsGone() throws {
    let events = try run(gone: 5, back: 8.5, end: 14, recognizer: "sleep 3; echo lights on")
    #expect(
      names(events) == [
        "ready", "wake", "listening", "lost", "transcript", "intent", "action", "reply", "idle", "recovered",
        "overrun",
      ])
  }

  @Test func listeningEndsWithTheMicrophone() throws {
    let events = try run(gone: 2, back: 3, end: 4.5, recognizer: "echo lights on")
    #expect(
      names(events) == ["ready", "wake", "listening", "lost", "error", "idle", "recovered", "overrun"])
  }
}
