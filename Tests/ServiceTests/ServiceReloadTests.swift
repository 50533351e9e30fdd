import Configuration
import Platform
import Service
import SpeechSynthesis
import Supervision
import Synchronization
import TestServers
import Testing

/// Replacing the components while the service runs.
@Suite(.limited) struct ServiceReloadTests {
  /// Runs `count` commands, holds before the last one, and reloads there.
  private func run(
    _ service: TestService, _ source: FakeSource, after event: String,
    _ reload: () throws -> Void
  ) throws -> [JSON] {
    let ended = try service.start()
    var events = try service.wait(for: event)
    try reload()
    source.go()
    #expect(ended.take(within: 20)?.isEmpty == true)
    events += try service.events()
    return events
  }

  @Test func anIdleServiceContinuesWithTheNewComponents() throws {
    let source = FakeSource(command + [.hold] + command)
    let service = try TestService(source)
    let events = try run(service, source, after: "idle") {
      var settings = ServiceSettings()
      settings.events = .json
      let new = try TestService.components(
        settings, recognizer: FakeRecognizer(["turn off the kitchen light"]),
        spotter: FakeSpotter("alexa"), surroundings: service.surroundings)
      service.queue.post(.prepared(new))
      while service.supervisor.metrics.reloads.value == 0 { sleep() }
    }
    #expect(events.names == ["ready"] + conversation + conversation)
    #expect(events.filter { $0["event"] == "wake" }.map { $0["keyword"] } == ["computer", "alexa"])
  }

  @Test func aConversationEndsWithTheOldComponents() throws {
    let source = FakeSource([.silence(1), .hotword, .silence(0.2), .hold, .speech(1), .silence(2)] + command)
    let service = try TestService(source)
    var settings = ServiceSettings()
    settings.events = .json
    let events = try run(service, source, after: "listening") {
      let new = try TestService.components(
        settings, recognizer: FakeRecognizer(["turn off the kitchen light"]),
        surroundings: service.surroundings)
      service.queue.post(.prepared(new))
    }
    #expect(events.names == ["ready"] + conversation + conversation)
    #expect(
      events.filter { $0["event"] == "transcript" }.map { $0["text"] } == [
        "turn on the kitchen light", "turn off the kitchen light",
      ])
    #expect(service.supervisor.metrics.reloads.value == 1)
  }

  /// A fault that only shows when the components are prepared, as when a file is changed again during the reload.
  private struct Changed: Fault {
    var exitCode: ExitCode { .badData }
    var message: String { "changed" }
  }

  @Test func aFileThatBecomesBadDuringAReloadKeepsTheOldOneAndIsReadOnce() throws {
    let source = FakeSource(command + [.hold] + command)
    let service = try TestService(source)
    let loads = Counter()
    let load: @Sendable () -> LoadedSettings = {
      loads.add()
      return LoadedSettings(ServiceSettings())
    }
    let reloader = Reloader(
      load, running: ServiceSettings(), supervisor: service.supervisor, service.queue, check: { _ in [] },
      prepare: { _ in throw Changed() })
    try reloader.start()
    let events = try run(service, source, after: "idle") {
      reloader.request()
      while service.supervisor.metrics.failedReloads.value == 0 { sleep() }
    }
    #expect(events.names == ["ready"] + conversation + conversation)
    #expect(loads.value == 1)
    #expect(service.supervisor.metrics.reloads.value == 0)
  }

  @Test func aReloadChangesTheRunningEchoCanceller() throws {
    let owner = EchoCancellerOwner()
    let first = try owner.setup(reference: PlaybackReference(), delay: 40)
    let second = try owner.setup(reference: PlaybackReference(), delay: 120)
    #expect(first.canceller === second.canceller, "there is never more than one")
    second.apply()
    #expect(second.canceller.delay == 120)
  }

  private func sleep() { MonotonicClock.sleep(until: MonotonicClock.now() + 0.001) }
}
