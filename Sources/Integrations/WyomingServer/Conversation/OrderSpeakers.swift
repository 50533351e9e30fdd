import Networking
import Platform
import Synchronization
import Understanding

/// Tells who spoke the sentences that a client's hotword, speech to text and understanding are about. Any thread may use it.
///
/// Home Assistant opens a connection for each of these, and no identifier joins them. An order therefore belongs to the hotword that
/// the same host was sent just before, and a sentence to the order that was recognized as these words just before. Where several come
/// into question, and where there was no hotword, the speaker is not determined.
final class OrderSpeakers: Sendable {
  /// Seconds from a detection to the beginning of its order: Home Assistant begins at once.
  static let hotwordWindow = 1.0
  /// Seconds from a transcript to the request to understand it.
  static let textWindow = 5.0
  /// What is remembered of each; the oldest is forgotten.
  static let memory = 64

  private struct Hotword: Sendable {
    let host: String
    let speaker: TurnSpeaker
    let time: Double
  }

  private struct Order: Sendable {
    let host: String
    let text: String
    let speaker: TurnSpeaker
    let time: Double
  }

  private struct State: Sendable {
    var hotwords: [Hotword] = []
    var orders: [Order] = []
  }

  private let state = Mutex(State())

  /// A client of `host` was sent the detection of a hotword.
  ///
  /// - Parameter name: the enrolled voice that said it; nil if unknown.
  func noteHotword(by name: String?, host: String, at now: Double = MonotonicClock.now()) {
    let speaker = name.map { TurnSpeaker.enrolled($0) } ?? .notEnrolled
    let hotword = Hotword(host: host, speaker: speaker, time: now)
    state.withLock { $0.hotwords = $0.hotwords.suffix(Self.memory - 1) + [hotword] }
  }

  /// A client of `host` begins an order; returns who speaks it.
  func beginOrder(host: String, at now: Double = MonotonicClock.now()) -> TurnSpeaker {
    state.withLock { state in
      let speakers = state.hotwords.filter { $0.host == host && now - $0.time <= Self.hotwordWindow }
      // A hotword has one order.
      state.hotwords.removeAll { $0.host == host }
      return speakers.count == 1 ? speakers[0].speaker : .undetermined
    }
  }

  /// An order of `host` was recognized as `text`.
  func noteOrder(
    _ text: String, by speaker: TurnSpeaker, host: String, at now: Double = MonotonicClock.now()
  ) {
    let order = Order(host: host, text: text, speaker: speaker, time: now)
    state.withLock { $0.orders = $0.orders.suffix(Self.memory - 1) + [order] }
  }

  /// Who spoke the sentence that a client of `host` sends to be understood.
  func speaker(of text: String, host: String, at now: Double = MonotonicClock.now()) -> TurnSpeaker {
    state.withLock { state in
      let found = state.orders.filter {
        $0.host == host && $0.text == text && now - $0.time <= Self.textWindow
      }
      state.orders.removeAll { $0.host == host && $0.text == text }
      guard let first = found.first, found.allSatisfy({ $0.speaker == first.speaker }) else {
        return .undetermined
      }
      return first.speaker
    }
  }
}
