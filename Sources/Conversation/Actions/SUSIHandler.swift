import Platform
import Understanding

/// Carries out the answer of SUSI.AI: the slots `actions` and `data` of its intent `Susi`.
public struct SUSIHandler: Handler {
  public init() {}

  public func handle(_ event: IntentEvent) throws(ActionFault) -> Answer? {
    let meaning = event.interpretation
    guard meaning.status == .ready, meaning.intent?.name == "Susi" else { return nil }
    let members = meaning.slots.map { JSON.Member($0.name, $0.value) }
    return Answer(json: .object(members + (meaning.reply.map { [JSON.Member("reply", .string($0))] } ?? [])))
  }
}
