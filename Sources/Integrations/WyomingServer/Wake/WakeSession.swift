import Networking
import PCM
import Platform

/// One client of a Wyoming wake server: turns its events into actions.
///
/// A value without sockets, audio or clock: `handle` takes an event and returns the actions, in order. For each hit that
/// ``Action/process(_:_:)`` or ``Action/finish`` gives, the owner calls ``detection(of:endingAt:)``, and after the latter
/// ``finished()``.
public struct WakeSession: Sendable {
  public enum Action: Sendable, Equatable {
    /// Send an event.
    case send(WyomingEvent)
    /// Send the list of models.
    case sendInfo
    /// Detect these models from the next stream on; nil for the standard ones.
    case select([String]?)
    /// Begin a new stream.
    case start
    /// Process the next bytes of the stream.
    case process([UInt8], AudioShape)
    /// The stream ends here.
    case finish
    /// Send an error and end the connection.
    case refuse(WyomingEvent)
  }

  private var shape = AudioShape.standard
  /// The timestamp of the last chunk.
  private var timestamp: JSON?
  private var hasDetection = false
  private var context: JSON?

  public init() {}

  public mutating func handle(_ event: WyomingEvent) -> [Action] {
    switch event.type {
    case "describe": return [.sendInfo]
    case "ping": return [.send(WyomingEvent("pong", [JSON.Member("text", event["text"] ?? .null)]))]
    case "detect":
      context = Self.given(event["context"])
      if let context, context.description.utf8.count > Self.contextLimit { return [Self.contextRefusal] }
      let names = event["names"]?.array?.compactMap(\.string) ?? []
      return [.select(names.isEmpty ? nil : names)]
    case "audio-start":
      hasDetection = false
      timestamp = nil
      guard let shape = AudioShape(event, or: .standard) else { return [Self.refusal] }
      self.shape = shape
      return [.start]
    case "audio-chunk":
      guard let shape = AudioShape(event, or: shape) else { return [Self.refusal] }
      timestamp = event["timestamp"].flatMap { $0.number == nil ? JSON?.none : $0 }
      return [.process(event.payload, shape)]
    case "audio-stop": return [.finish]
    default: return []
    }
  }

  /// The event for a hit.
  ///
  /// - Parameters:
  ///   - name: the client's name of the model.
  ///   - end: the end of the hotword in samples since the stream began: the timestamp if the client's chunks have none.
  ///   - speaker: the enrolled voice that said it; nil if unknown.
  public mutating func detection(
    of name: String, endingAt end: SampleIndex, by speaker: String? = nil
  ) -> WyomingEvent {
    hasDetection = true
    let milliseconds = JSON.number(Double(end * 1000 / AudioFormat.sampleRate))
    return WyomingEvent(
      "detection",
      [
        JSON.Member("name", .string(name)), JSON.Member("timestamp", timestamp ?? milliseconds),
        JSON.Member("speaker", speaker.map { .string($0) } ?? .null),
      ] + contextMember)
  }

  /// No detection of the stream has been sent, although ``detection(of:endingAt:by:)`` was called.
  public mutating func withdraw() { hasDetection = false }

  /// The events after the end of the stream and its last detection.
  public mutating func finished() -> [WyomingEvent] {
    defer { hasDetection = false }
    return hasDetection ? [] : [WyomingEvent("not-detected", contextMember)]
  }

  /// A value that is present and not null.
  private static func given(_ value: JSON?) -> JSON? { value == .null ? JSON?.none : value }

  private var contextMember: [JSON.Member] { context.map { [JSON.Member("context", $0)] } ?? [] }

  /// The maximum size of a client's context in bytes: it is kept as long as the connection, and sent with each answer.
  private static let contextLimit = 4_096

  private static let contextRefusal = Action.refuse(
    .error("the context is longer than \(contextLimit) bytes", code: "context-too-long"))

  private static let refusal = Action.refuse(AudioShape.refusal)
}
