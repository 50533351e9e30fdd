/// The service's counters since its start. Any thread can count, without a lock.
package final class ServiceMetrics: SupervisedMetrics {
  package enum Stage: String, Sendable, CaseIterable {
    case recognition
    case understanding
    case handling
  }

  package let stream = StreamMetrics()
  package let transcripts = Counter()
  package let errors = Counter()
  /// From the end of speech to the transcript, and from the intent to the handler's answer.
  package let recognition = DurationHistogram()
  package let handling = DurationHistogram()
  /// Events that were dropped because standard output was not read.
  package let droppedEvents = Counter()
  /// MQTT messages that were dropped because the broker was slow or away.
  package let droppedMessages = Counter()
  package let reloads = Counter()
  package let failedReloads = Counter()
  private let failures = Stage.allCases.map { _ in Counter() }
  private let endings: [(name: String, counter: Counter)]

  /// - Parameter endings: all reasons for which a conversation can end.
  package init(endings: [String]) {
    self.endings = endings.map { ($0, Counter()) }
  }

  /// Counts a failure.
  package func fail(_ stage: Stage) {
    if let index = Stage.allCases.firstIndex(of: stage) { failures[index].add() }
  }

  /// Counts the end of a conversation.
  package func end(_ name: String) { endings.first { $0.name == name }?.counter.add() }

  package func exposition(version: String) -> String {
    var page = Exposition()
    stream.add(to: &page, version: version)
    page.add(.counter, "hotword_transcripts_total", "Transcribed commands.", Double(transcripts.value))
    page.add(
      "hotword_recognition_seconds", "From the end of the audio to the transcript.", recognition)
    page.add("hotword_handling_seconds", "From the intent to the handlers' answer.", handling)
    page.add(
      .counter, "hotword_conversations_total", "Conversations by how they ended.",
      endings.map { .init(Double($0.counter.value), ("ending", $0.name)) })
    page.add(
      .counter, "hotword_failures_total", "Recognitions, understandings and handlings that failed.",
      zip(Stage.allCases, failures).map { .init(Double($1.value), ("stage", $0.rawValue)) })
    page.add(.counter, "hotword_errors_total", "Error events.", Double(errors.value))
    page.add(
      .counter, "hotword_dropped_events_total", "Events that standard output did not take.",
      Double(droppedEvents.value))
    page.add(
      .counter, "hotword_dropped_messages_total", "MQTT messages that were dropped, sent or received.",
      Double(droppedMessages.value))
    page.add(
      .counter, "hotword_reloads_total", "Reloads of the configuration.",
      [
        .init(Double(reloads.value), ("result", "success")),
        .init(Double(failedReloads.value), ("result", "failure")),
      ])
    ProcessFigures.now().add(to: &page)
    return page.text
  }
}
