import PCM
import Platform
import Synchronization

/// The service's counters since its start. Any thread can count, without a lock.
package final class ServiceMetrics: Sendable {
  /// The counters of one keyword.
  package final class Keyword: Sendable {
    package let name: String
    package let wakes = Counter()
    package let nearMisses = Counter()

    init(_ name: String) { self.name = name }
  }

  package enum Stage: String, Sendable, CaseIterable {
    case recognition
    case understanding
    case handling
  }

  package let began = MonotonicClock.now()
  /// Samples of the stream, and those of it that were lost.
  package let heard = Counter()
  package let lost = Counter()
  package let gaps = Counter()
  package let overruns = Counter()
  package let deviceLosses = Counter()
  /// 1 while the capture device is available.
  package let isDeviceThere = Counter()
  /// 1 while hotwords are detected, 0 while they are switched off over MQTT.
  package let isDetecting = Counter()
  /// Microseconds of processing for hotword detection.
  package let listening = Counter()
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
  private let keywords = Mutex<[Keyword]>([])

  /// - Parameter endings: all reasons for which a conversation can end.
  package init(endings: [String]) {
    self.endings = endings.map { ($0, Counter()) }
    isDeviceThere.set(1)
    isDetecting.set(1)
  }

  /// Counts a failure.
  package func fail(_ stage: Stage) {
    if let index = Stage.allCases.firstIndex(of: stage) { failures[index].add() }
  }

  /// Counts the end of a conversation.
  package func end(_ name: String) { endings.first { $0.name == name }?.counter.add() }

  /// The counters of a keyword, which survive a reload. It takes a lock for a moment.
  package func keyword(_ name: String) -> Keyword {
    keywords.withLock { list in
      if let known = list.first(where: { $0.name == name }) { return known }
      let new = Keyword(name)
      list.append(new)
      return new
    }
  }

  /// The page of all metrics and of the process's figures.
  ///
  /// - Parameter version: the program's.
  package func exposition(version: String) -> String {
    let keywords = keywords.withLock { $0 }
    var page = Exposition()
    page.add(.gauge, "hotword_build_info", "The program's version.", [.init(1, ("version", version))])
    page.add(.gauge, "hotword_up_seconds", "Time since the start.", MonotonicClock.now() - began)
    page.add(
      .counter, "hotword_wakes_total", "Hotwords that opened a conversation.",
      keywords.map { .init(Double($0.wakes.value), ("keyword", $0.name)) })
    page.add(
      .counter, "hotword_near_misses_total",
      "Peaks of the score between half the threshold and the threshold.",
      keywords.map { .init(Double($0.nearMisses.value), ("keyword", $0.name)) })
    page.add(
      .counter, "hotword_audio_seconds_total", "Audio processed.", AudioFormat.seconds(heard.value))
    page.add(
      .counter, "hotword_lost_audio_seconds_total", "Audio lost to overruns and while the device was lost.",
      AudioFormat.seconds(lost.value))
    page.add(.counter, "hotword_gaps_total", "Breaks in the audio.", Double(gaps.value))
    page.add(
      .counter, "hotword_overruns_total", "Overflows of the capture buffer.",
      Double(overruns.value))
    page.add(
      .counter, "hotword_device_losses_total", "Losses of the capture device.",
      Double(deviceLosses.value))
    page.add(
      .gauge, "hotword_device_up", "Whether the capture device is available.", Double(isDeviceThere.value))
    page.add(
      .gauge, "hotword_detecting", "Whether hotwords are detected; 0 while they are switched off over MQTT.",
      Double(isDetecting.value))
    page.add(
      .counter, "hotword_listening_seconds_total", "Processing time for hotword detection.",
      Double(listening.value) * 1e-6)
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
      .counter, "hotword_dropped_messages_total", "MQTT messages that the broker did not take.",
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
