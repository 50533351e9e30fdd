import PCM
import Synchronization
import Understanding

/// Finds out who speaks the orders of one client: the voice that said the hotword, if the order sounds like it too.
struct OrderCheck: Sendable {
  /// What is answered to an order by another voice.
  static let refusal = "the order does not sound like the voice that said the hotword"
  /// Seconds of an order that are compared at most.
  static let longest = 10.0

  /// An order while it is recognized. Any thread may use it.
  final class Order: Sendable {
    /// Samples of an order that are compared: the first ones.
    private static let limit = AudioFormat.samples(OrderCheck.longest)

    private let check: OrderCheck
    private let host: String
    private let hotword: TurnSpeaker
    private let samples = Mutex<[Int16]>([])

    fileprivate init(_ check: OrderCheck, host: String) {
      self.check = check
      self.host = host
      hotword = check.speakers.beginOrder(host: host)
    }

    func append(_ new: [Int16]) {
      guard case .enrolled = hotword else { return }
      samples.withLock { $0 += new.prefix(max(0, Self.limit - $0.count)) }
    }

    /// The order was recognized as `text`.
    ///
    /// - Returns: whether it counts.
    func end(_ text: String) -> Bool {
      var speaker = hotword
      if case .enrolled(let name) = hotword, !check.isBy(samples.withLock { $0 }, name) {
        speaker = .notEnrolled
        if check.onlyVoices { return false }
      }
      check.speakers.noteOrder(text, by: speaker, host: host)
      return true
    }
  }

  private let speakers: OrderSpeakers
  private let isBy: @Sendable ([Int16], String) -> Bool
  private let onlyVoices: Bool

  /// - Parameters:
  ///   - speakers: gets who spoke what.
  ///   - isBy: whether an order sounds like an enrolled voice.
  ///   - onlyVoices: whether other orders do not count.
  init(
    _ speakers: OrderSpeakers, isBy: @escaping @Sendable (_ order: [Int16], _ name: String) -> Bool,
    onlyVoices: Bool
  ) {
    self.speakers = speakers
    self.isBy = isBy
    self.onlyVoices = onlyVoices
  }

  func begin(host: String) -> Order { Order(self, host: host) }
}
