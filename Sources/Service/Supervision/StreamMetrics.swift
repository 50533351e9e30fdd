import PCM
import Platform
import Synchronization

/// The counters of a program's stream of audio, and of the hotwords in it. Any thread can count, without a lock.
package final class StreamMetrics: Sendable {
  /// The counters of one keyword.
  package final class Keyword: Sendable {
    package let name: String
    package let wakes = Counter()
    package let nearMisses = Counter()

    init(_ name: String) { self.name = name }
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
  /// 1 while hotwords are detected, 0 while they are switched off.
  package let isDetecting = Counter()
  /// Microseconds of processing for hotword detection.
  package let listening = Counter()
  private let keywords = Mutex<[Keyword]>([])

  package init() {
    isDeviceThere.set(1)
    isDetecting.set(1)
  }

  /// The counters of a keyword, which survive a reload. It takes a lock for a moment.
  package func keyword(_ name: String) -> Keyword {
    keywords.withLock { list in
      if let known = list.first(where: { $0.name == name }) { return known }
      let new = Keyword(name)
      list.append(new)
      return new
    }
  }

  /// Adds the program's version, its uptime, and all counters.
  ///
  /// - Parameter version: the program's.
  package func add(to page: inout Exposition, version: String) {
    let keywords = keywords.withLock { $0 }
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
      .gauge, "hotword_detecting", "Whether hotwords are detected; 0 while they are switched off or muted.",
      Double(isDetecting.value))
    page.add(
      .counter, "hotword_listening_seconds_total", "Processing time for hotword detection.",
      Double(listening.value) * 1e-6)
  }
}
