import Glibc
import Platform
import WyomingServer

/// Turns the other players of this machine down while a satellite listens and answers, on PulseAudio or PipeWire by `pactl`.
///
/// A thread of its own carries out what ``note(_:)`` asks for.
final class DuckedPlayers: Sendable {
  private enum Job: Sendable {
    case turnDown, restore
    case end(done: ThreadSignal)
  }

  /// Seconds that a command may take.
  private static let timeout = 2.0

  private let jobs = JobQueue<Job>()

  /// - Parameter percent: of their volumes, 0…100.
  /// - Throws: ``DuckingFault`` if there is no sound server.
  init(percent: Int) throws {
    try Self.check()
    try DetachedThread.start(blocksSignals: true) { [jobs] in
      var before: [(player: String, volumes: [Int])] = []
      func restore() {
        for (player, volumes) in before { Self.set(player, volumes) }
        before = []
      }
      while true {
        switch jobs.take() {
        case .turnDown:
          guard before.isEmpty else { break }
          before = Self.players()
          for (player, volumes) in before { Self.set(player, volumes.map { $0 * percent / 100 }) }
        case .restore: restore()
        case .end(let done):
          restore()
          return done.send()
        }
      }
    }
  }

  /// Throws if there is no sound server.
  static func check() throws(DuckingFault) {
    if pactl(["info"]) == nil { throw .noServer }
  }

  /// Follows the satellite; it does not wait.
  func note(_ event: SatelliteEvent) {
    switch event {
    case .wake: jobs.append(.turnDown)
    case .idle, .disconnected: jobs.append(.restore)
    default: break
    }
  }

  /// Restores the volumes and ends the thread.
  func close() throws {
    let done = try ThreadSignal()
    jobs.append(.end(done: done))
    done.wait(until: MonotonicClock.now() + 2 * Self.timeout)
  }

  /// The players that are not this process, with the volumes of their channels.
  private static func players() -> [(player: String, volumes: [Int])] {
    guard let output = pactl(["--format=json", "list", "sink-inputs"]), let list = try? JSON(parsing: output)
    else {
      return []
    }
    return (list.array ?? []).compactMap { input in
      guard let index = input["index"]?.number, let volume = input["volume"]?.members,
        input["properties"]?["application.process.id"]?.string != "\(getpid())"
      else { return nil }
      let volumes = volume.compactMap { $0.value["value"]?.number.map { Int($0) } }
      return volumes.isEmpty ? nil : ("\(Int(index))", volumes)
    }
  }

  private static func set(_ player: String, _ volumes: [Int]) {
    // A player that has ended since is no fault.
    _ = pactl(["set-sink-input-volume", player] + volumes.map { "\($0)" })
  }

  /// The output; nil if the command fails.
  private static func pactl(_ words: [String]) -> [UInt8]? {
    guard let result = try? Subprocess(["pactl"] + words).run(timeout: timeout), result.ending == .exited(0)
    else {
      return nil
    }
    return result.output
  }
}

/// Why other players cannot be turned down.
enum DuckingFault: Fault, Equatable {
  case noServer

  var exitCode: ExitCode { .unavailable }

  var message: String {
    "--duck: no sound server answers 'pactl info'; install pulseaudio-utils, and run the satellite as the user whose PulseAudio or PipeWire plays"
  }
}
