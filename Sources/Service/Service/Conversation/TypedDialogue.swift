import Dialogue
import Platform
import RemoteServices
import Understanding

/// Typed sentences as turns of a dialogue: what `hotword understand` prints.
package struct TypedDialogue: Sendable {
  private let start: DialogueStateMachine
  private let speaker: TurnSpeaker
  private var dialogue: RemoteDialogue
  /// Why the service is not asked; nil if it is, or there is none.
  package let warning: String?

  /// - Parameters:
  ///   - file: the intent file; nil for the default intents.
  ///   - understanding: the service that finds intents; nil for the intent file alone.
  ///   - area: the area of the home in which sentences are said that name none.
  ///   - speaker: the enrolled voice that speaks; nil for an unknown speaker.
  ///   - mayExecute: whether a service may be asked that also carries out what it understands.
  package init(
    intents file: String?, understanding: String? = nil, area: String? = nil, speaker: String? = nil,
    mayExecute: Bool = true
  ) throws {
    let intents = try PlugIns.intents(file)
    var start = try DialogueStateMachine(Understander(intents))
    start.area = area
    var service = try understanding.map { try PlugIns.understanding($0, language: intents.language) }
    let isLeftOut = !mayExecute && service?.executes ?? false
    warning =
      isLeftOut
      ? "the understanding service is not asked, as it would carry out what it understands" : nil
    if isLeftOut { service = nil }
    self.start = start
    self.speaker = speaker.map { .enrolled($0) } ?? .notEnrolled
    dialogue = RemoteDialogue(start, service: service)
  }

  /// Begins a new dialogue.
  package mutating func restart() { dialogue.restart(with: start) }

  /// Processes a sentence; it waits for the service if there is one.
  ///
  /// - Parameter report: called if the service failed and the intent file is used.
  package mutating func process(_ text: String, report: (RemoteFault) -> Void) -> JSON {
    dialogue.process(text, at: MonotonicClock.now(), by: speaker, report: report).interpretation.json
  }
}
