import Supervision
import WyomingServer

/// The counters of a satellite since its start. Any thread can count.
final class SatelliteMetrics: SupervisedMetrics {
  let stream = StreamMetrics()
  private let commands = Counter()
  private let streams = Counter()
  private let transcripts = Counter()
  private let replies = Counter()
  private let errors = Counter()
  private let connections = Counter()
  /// 1 while Home Assistant is connected.
  private let isConnected = Counter()

  /// Counts an event; it does not wait.
  func note(_ event: SatelliteEvent) {
    switch event {
    case .connected:
      connections.add()
      isConnected.set(1)
    case .disconnected: isConnected.set(0)
    case .wake(let name, _):
      commands.add()
      if let name { stream.keyword(name).wakes.add() }
    case .listening: streams.add()
    case .transcript: transcripts.add()
    case .speaking: replies.add()
    case .error: errors.add()
    case .muted: stream.isDetecting.set(0)
    case .unmuted: stream.isDetecting.set(1)
    case .thinking, .idle, .timer: break
    }
  }

  func exposition(version: String) -> String {
    var page = Exposition()
    stream.add(to: &page, version: version)
    page.add(
      .counter, "hotword_commands_total",
      "Times that a command was awaited: after a hotword, a button or a question.",
      Double(commands.value))
    page.add(
      .counter, "hotword_streams_total", "Commands whose audio was sent to Home Assistant.",
      Double(streams.value))
    page.add(.counter, "hotword_transcripts_total", "Transcribed commands.", Double(transcripts.value))
    page.add(
      .counter, "hotword_replies_total", "Answers and announcements that were played.", Double(replies.value))
    page.add(.counter, "hotword_errors_total", "Errors that Home Assistant reported.", Double(errors.value))
    page.add(
      .counter, "hotword_connections_total", "Times that Home Assistant has connected.",
      Double(connections.value))
    page.add(
      .gauge, "hotword_home_assistant_connected", "Whether Home Assistant is connected.",
      Double(isConnected.value))
    ProcessFigures.now().add(to: &page)
    return page.text
  }
}
