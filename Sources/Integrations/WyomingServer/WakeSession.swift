import Networking
import PCM
import Platform

/// One client of a Wyoming wake server: what its events ask for.
///
/// A value without sockets, audio or clock: `take` takes an event and returns what to do, in order. The owner answers ``Action/hear(_:_:)`` and
/// ``Action/finish`` with ``heard(_:at:)`` for each hit, and the latter with ``finished()`` after them.
public struct WakeSession: Sendable {
  public enum Action: Sendable, Equatable {
    /// Send an event.
    case send(WyomingEvent)
    /// Send the list of models.
    case sendInfo
    /// Listen for these models from the next stream on; nil for those that are heard where none is asked for.
    case select([String]?)
    /// Forget the stream; a new one begins.
    case start
    /// Listen to these bytes, the next of the stream.
    case process([UInt8], AudioShape)
    /// The stream ends here.
    case finish
    /// Send an error and end the connection.
    case refuse(WyomingEvent)
  }

  private var shape = AudioShape.standard
  /// The time that the client gave its last chunk.
  private var timestamp: JSON?
  private var hasFired = false
  private var context: JSON?

  public init() {}

  public mutating func handle(_ event: WyomingEvent) -> [Action] {
    switch event.type {
    case "describe": return [.sendInfo]
    case "ping": return [.send(WyomingEvent("pong", [JSON.Member("text", event["text"] ?? .null)]))]
    case "detect":
      context = Self.given(event["context"])
      let names = event["names"]?.array?.compactMap(\.string) ?? []
      return [.select(names.isEmpty ? nil : names)]
    case "audio-start":
      hasFired = false
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

  /// A hit in the audio so far.
  ///
  /// - Parameters:
  ///   - name: the model, as the client calls it.
  ///   - end: where the word ended, in samples since the stream began: the time, where the client gives none.
  public mutating func detection(of name: String, endingAt end: SampleIndex) -> WyomingEvent {
    hasFired = true
    let milliseconds = JSON.number(Double(end * 1000 / AudioFormat.sampleRate))
    return WyomingEvent(
      "detection",
      [
        JSON.Member("name", .string(name)), JSON.Member("timestamp", timestamp ?? milliseconds),
        JSON.Member("speaker", .null),
      ] + contextMember)
  }

  /// The stream has ended, and all that was heard in it is told.
  public mutating func finished() -> [WyomingEvent] {
    defer { hasFired = false }
    return hasFired ? [] : [WyomingEvent("not-detected", contextMember)]
  }

  /// A value that is there and is not null.
  private static func given(_ value: JSON?) -> JSON? { value == .null ? JSON?.none : value }

  private var contextMember: [JSON.Member] { context.map { [JSON.Member("context", $0)] } ?? [] }

  private static let refusal = Action.refuse(
    WyomingEvent(
      "error",
      [
        JSON.Member(
          "text",
          .string(
            "audio has \(AudioShape.rates.lowerBound) to \(AudioShape.rates.upperBound) samples a second of 1 to 4 bytes, in 1 to 64 channels"
          )), JSON.Member("code", "unsupported-audio"),
      ]))
}
