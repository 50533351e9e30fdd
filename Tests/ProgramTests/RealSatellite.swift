import AudioCapture
import Glibc
import PCM
import Platform
import Synchronization
import TestServers

/// A satellite that a real Home Assistant uses, with a microphone that a test speaks into.
final class RealSatellite {
  let folder = Program.temporaryFolder()
  private let words: [String]
  private let environment: String
  private(set) var server: WakeServer
  private var microphone: Microphone
  private var starts = 0

  /// - Parameters:
  ///   - words: the options of `hotword satellite`, in which `FOLDER` is the satellite's own.
  ///   - data: the user's data folder, if not the usual one.
  init(_ words: [String], data: String? = nil) throws {
    let device = """
      pcm.nothing { type null }
      pcm.out { type file slave.pcm nothing file "\(folder)/played.raw" format raw }
      """
    environment =
      "ALSA_CONFIG_PATH=\(try Program.file("asound.conf", Array(device.utf8)))"
      + (data.map { " XDG_DATA_HOME=\($0)" } ?? "")
    let folder = folder
    let own = words.map { word in
      word.split(separator: "FOLDER", omittingEmptySubsequences: false).joined(separator: folder)
    }
    self.words =
      ["--input", "-", "--player", "alsa:out", "--control", "unix://\(folder)/control"] + own
    server = try WakeServer(self.words, command: "satellite", environment: environment, isFed: true)
    microphone = try Microphone(server.program)
    try follow()
  }

  var port: Int { server.uri.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  /// Ends it and starts it again at the same address; returns its exit code.
  func restart() throws -> Int32? {
    microphone.end()
    let code = server.terminate()
    server = try WakeServer(
      ["--uri", server.uri] + words, command: "satellite", environment: environment, isFed: true)
    microphone = try Microphone(server.program)
    try follow()
    return code
  }

  func end() -> Int32? {
    microphone.end()
    return server.terminate()
  }

  /// Says `text` into the microphone, and waits until it has been said.
  func say(_ text: String, voice: String = "slt") throws {
    try microphone.say(Flite.say(text + ".", voice: voice))
  }

  /// What it has told programs since its last start: the events, those of timers with their state.
  var events: [String] {
    let lines = ((try? Files.read("\(folder)/told-\(starts)")) ?? []).split(separator: UInt8(ascii: "\n"))
    return lines.compactMap { line in
      guard let event = try? JSON(parsing: Array(line)), let name = event["event"]?.string else { return nil }
      return event["state"]?.string.map { "\(name) \($0)" } ?? name
    }
  }

  var isConnected: Bool { events.last { $0.hasSuffix("connected") } == "connected" }

  private func follow() throws {
    starts += 1
    let script = PythonServer.script("satellite_control.py")
    let line = "python3 \(Program.quoted(script)) \(folder)/control >\(folder)/told-\(starts)"
    try DetachedThread.start { _ = try? Program.shell(line, timeout: 900) }
  }
}

/// A room with quiet noise, in real time, in which something is said now and then.
private final class Microphone: Sendable {
  private struct State: Sendable {
    var said: [Int16] = []
    var isOver = false
  }

  private let state = Mutex(State())

  init(_ program: RunningProgram) throws {
    try DetachedThread.start { [self] in
      var random = RandomSource(seed: 3)
      var next = MonotonicClock.now()
      while let said = take() {
        let rest = (said.count..<AudioFormat.frameLength).map { _ in Int16(random.next() % 41) - 20 }
        program.write(said + rest)
        next += AudioFormat.seconds(AudioFormat.frameLength)
        // A microphone delivers its samples when they are recorded, and nothing signals that.
        MonotonicClock.sleep(until: next)
      }
    }
  }

  private func take() -> [Int16]? {
    state.withLock { state in
      if state.isOver { return nil }
      let part = Array(state.said.prefix(AudioFormat.frameLength))
      state.said.removeFirst(part.count)
      return part
    }
  }

  func say(_ path: String) throws {
    let samples = try AudioFile.read(path)
    state.withLock { $0.said += samples }
    _ = Waiting.until { state.withLock { $0.said.isEmpty } }
  }

  func end() { state.withLock { $0.isOver = true } }
}
