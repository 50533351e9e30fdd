import PCM
import Platform
import Synchronization

/// What the service has done since it began, counted where it happens, without locks.
package final class ServiceMetrics: Sendable {
  /// What is counted of one keyword.
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
  /// 1 while the input is there.
  package let isDeviceThere = Counter()
  /// Microseconds spent on hearing hotwords.
  package let listening = Counter()
  package let transcripts = Counter()
  package let errors = Counter()
  /// From the end of what was said to its transcript, and from the intent to the handler's answer.
  package let recognition = DurationHistogram()
  package let handling = DurationHistogram()
  package let reloads = Counter()
  package let failedReloads = Counter()
  private let failures = Stage.allCases.map { _ in Counter() }
  private let endings: [(name: String, counter: Counter)]
  private let keywords = Mutex<[Keyword]>([])

  /// - Parameter endings: every way in which a conversation can end.
  package init(endings: [String]) {
    self.endings = endings.map { ($0, Counter()) }
    isDeviceThere.set(1)
  }

  /// Counts a failure.
  package func fail(_ stage: Stage) {
    if let index = Stage.allCases.firstIndex(of: stage) { failures[index].add() }
  }

  /// Counts the end of a conversation.
  package func end(_ name: String) { endings.first { $0.name == name }?.counter.add() }

  /// The counters of a keyword, which outlive a reload. It locks: ask once.
  package func keyword(_ name: String) -> Keyword {
    keywords.withLock { list in
      if let known = list.first(where: { $0.name == name }) { return known }
      let new = Keyword(name)
      list.append(new)
      return new
    }
  }

  /// All of it, and what the system knows of this process.
  ///
  /// - Parameter version: the program's.
  package func exposition(version: String) -> String {
    let keywords = keywords.withLock { $0 }
    var page = Exposition()
    page.add(.gauge, "hotword_build_info", "The program's version.", [.init(1, ("version", version))])
    page.add(.gauge, "hotword_up_seconds", "Time since the start.", MonotonicClock.now() - began)
    page.add(
      .counter, "hotword_wakes_total", "Hotwords that woke the assistant.",
      keywords.map { .init(Double($0.wakes.value), ("keyword", $0.name)) })
    page.add(
      .counter, "hotword_near_misses_total",
      "Peaks of the score between half the threshold and the threshold.",
      keywords.map { .init(Double($0.nearMisses.value), ("keyword", $0.name)) })
    page.add(
      .counter, "hotword_audio_seconds_total", "Audio heard.", AudioFormat.seconds(heard.value))
    page.add(
      .counter, "hotword_lost_audio_seconds_total", "Audio lost to overruns and while the device was gone.",
      AudioFormat.seconds(lost.value))
    page.add(.counter, "hotword_gaps_total", "Breaks in the audio.", Double(gaps.value))
    page.add(
      .counter, "hotword_overruns_total", "Times that somebody was too slow for the capture device.",
      Double(overruns.value))
    page.add(
      .counter, "hotword_device_losses_total", "Times that the capture device went away.",
      Double(deviceLosses.value))
    page.add(
      .gauge, "hotword_device_up", "Whether the capture device is there.", Double(isDeviceThere.value))
    page.add(
      .counter, "hotword_listening_seconds_total", "Time spent on hearing hotwords.",
      Double(listening.value) * 1e-6)
    page.add(.counter, "hotword_transcripts_total", "Orders turned into text.", Double(transcripts.value))
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
      .counter, "hotword_reloads_total", "Times that the configuration was read anew.",
      [
        .init(Double(reloads.value), ("result", "success")),
        .init(Double(failedReloads.value), ("result", "failure")),
      ])
    ProcessFigures.now().add(to: &page)
    return page.text
  }
}
