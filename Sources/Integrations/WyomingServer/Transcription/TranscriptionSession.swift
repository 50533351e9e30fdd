import Networking

/// The speech of one client of a speech-to-text server: turns its events into actions.
///
/// A value without sockets or audio: `handle` takes an event and returns the actions, in order.
public struct TranscriptionSession: Sendable {
  public enum Action: Sendable, Equatable {
    /// An utterance begins; one that is not over is dropped.
    case begin
    /// Process the next bytes of the utterance.
    case process([UInt8], AudioShape)
    /// The utterance ends here.
    case finish
    /// Send an event.
    case send(WyomingEvent)
    /// Send an error and end the connection.
    case refuse(WyomingEvent)
  }

  private let language: String
  private var shape = AudioShape.standard
  private var isOpen = false
  private var isRefused = false

  /// - Parameter language: that of the recognizer, such as `en-US`; empty for any.
  public init(language: String) { self.language = language }

  public mutating func handle(_ event: WyomingEvent) -> [Action] {
    switch event.type {
    case "transcribe":
      isOpen = false
      let wanted = event["language"]?.string ?? ""
      isRefused = !Self.agree(wanted, language)
      return isRefused ? [.send(Self.unknownLanguage(wanted, offered: language))] : []
    case "audio-start":
      guard !isRefused else { return [] }
      guard let shape = AudioShape(event, or: .standard) else { return [.refuse(AudioShape.refusal)] }
      self.shape = shape
      isOpen = true
      return [.begin]
    case "audio-chunk":
      guard !isRefused else { return [] }
      guard let shape = AudioShape(event, or: shape) else { return [.refuse(AudioShape.refusal)] }
      let begin: [Action] = isOpen ? [] : [.begin]
      isOpen = true
      return begin + [.process(event.payload, shape)]
    case "audio-stop":
      defer { isOpen = false }
      return isOpen ? [.finish] : []
    default: return []
    }
  }

  /// Whether both are the same language, in any country.
  private static func agree(_ one: String, _ other: String) -> Bool {
    func language(_ tag: String) -> String { String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased() }
    return one.isEmpty || other.isEmpty || language(one) == language(other)
  }

  private static func unknownLanguage(_ wanted: String, offered: String) -> WyomingEvent {
    WyomingEvent.error(
      "the language '\(String(wanted.prefix(32)))' is not offered; request '\(offered)', or start the server with a recognizer that has it",
      code: "language-not-offered")
  }
}
