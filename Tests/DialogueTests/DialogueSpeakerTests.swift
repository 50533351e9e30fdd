import Dialogue
import TestServers
import Testing
import Understanding

/// Speakers who may request an intent, turn by turn.
@Suite(.limited) struct DialogueSpeakerTests {
  typealias Talk = DialogueStateMachineTests.Talk

  /// An intent with a required slot, and a confirmation for `confirm`.
  static func door(_ voice: String, confirm: String? = nil) -> String {
    """
    language: en
    intents:
      Open:
        data: [{sentences: ["open the door [of {room}]"]}]
        slots: {room: {required: true, prompt: "Which room?"}}
        voice: \(voice)\(confirm.map { "\n    confirm: \"\($0)\"" } ?? "")
      Look: {data: [{sentences: [look around]}]}
    lists: {room: {values: [hall, cellar]}}

    """
  }

  private static let safe = door("[ann, bob]", confirm: "Open the {room}?")
  private static let ann = TurnSpeaker.enrolled("ann")

  /// The repeated question, where the speaker is not allowed.
  private func refused(_ action: DialogueAction, _ reason: String) -> String? {
    guard case .refuse(let said, let told) = action else { return nil }
    #expect(said.status == .unsupported && said.reply == nil && told.hasSuffix(reason))
    return said.prompt
  }

  @Test(arguments: [
    ("enrolled", TurnSpeaker.enrolled("ann"), true), ("enrolled", .notEnrolled, false), ("ann", ann, true),
    ("ann", .enrolled("bob"), false), ("[ann, bob]", .enrolled("bob"), true),
    ("[ann, bob]", .notEnrolled, false), ("{who: ann}", .enrolled("bob"), false),
    ("enrolled", .undetermined, false),
  ])
  func onlyAllowedSpeakersMayRequestAnIntent(_ demand: String, _ voice: TurnSpeaker, _ may: Bool) throws {
    var talk = try Talk(Self.door(demand))
    let said = talk.say("open the door", by: voice)
    if may {
      #expect(said.interpretation.status == .needsValue)
    } else {
      guard case .end(let refused, .refused(let reason)) = said else {
        Issue.record("accepted for \(voice)")
        return
      }
      #expect(refused.status == .unsupported && refused.reply?.isEmpty == false)
      #expect(reason.hasPrefix("Open needs") && reason.hasSuffix("the speaker is \(voice)"))
      #expect(talk.cycle.state == .idle)
    }
    #expect(talk.say("look around").interpretation.status == .ready)
  }

  @Test func theFileDefinesTheRefusal() throws {
    var talk = try Talk(Self.door("{who: enrolled, refusal: \"Ask ann.\"}"))
    #expect(talk.say("open the door").interpretation.reply == "Ask ann.")
  }

  @Test(arguments: [TurnSpeaker.notEnrolled, .undetermined, .enrolled("eve")])
  func otherSpeakersMayNotConfirm(_ voice: TurnSpeaker) throws {
    var talk = try Talk(Self.safe)
    _ = talk.say("open the door of hall", by: Self.ann)
    let prompt = try #require(refused(talk.say("yes", by: voice), "the speaker is \(voice)"))
    #expect(prompt.hasSuffix("Open the hall?"))
    #expect(prompt.hasPrefix(voice == .undetermined ? "Please say the hotword" : "Only ann or bob"))
    #expect(talk.cycle.state == .asking(intent: "Open"), "the question stays open")
    guard case .handle(let done) = talk.say("yes", by: .enrolled("bob")) else {
      Issue.record("rejected for bob")
      return
    }
    #expect(done["room"]?.value == "hall")
  }

  @Test func anySpeakerMayDecline() throws {
    for (text, voice) in [
      ("no", TurnSpeaker.undetermined), ("never mind", .notEnrolled), ("cancel", .undetermined),
    ] {
      var talk = try Talk(Self.safe)
      _ = talk.say("open the door of hall", by: Self.ann)
      guard case .end(_, .cancelled) = talk.say(text, by: voice) else {
        Issue.record("not cancelled by \(text)")
        continue
      }
    }
  }

  @Test func onlyTheConfirmationRequiresAnIdentifiedSpeaker() throws {
    var talk = try Talk(Self.safe)
    _ = talk.say("open the door", by: Self.ann)
    #expect(talk.say("hall", by: .undetermined).interpretation.prompt == "Open the hall?")
    #expect(talk.say("no, the cellar", by: .undetermined).interpretation.prompt == "Open the cellar?")
    #expect(refused(talk.say("yes", by: .undetermined), "not identified (no hotword in this turn)") != nil)
    guard case .handle = talk.say("yes", by: Self.ann) else {
      Issue.record("rejected for ann")
      return
    }
  }

  @Test func theLastAnswerRequiresAnAllowedSpeaker() throws {
    var talk = try Talk(Self.door("ann"))
    _ = talk.say("open the door", by: Self.ann)
    for voice in [TurnSpeaker.undetermined, .notEnrolled] {
      #expect(refused(talk.say("hall", by: voice), "\(voice)")?.hasSuffix("Which room?") == true)
    }
    guard case .handle(let done) = talk.say("cellar", by: Self.ann) else {
      Issue.record("rejected for ann")
      return
    }
    #expect(done["room"]?.value == "cellar", "what was refused is forgotten")
  }

  @Test func valuesOfOtherSpeakersAreNotAccepted() throws {
    var talk = try Talk(Self.safe)
    _ = talk.say("open the door", by: Self.ann)
    #expect(refused(talk.say("hall", by: .notEnrolled), "not enrolled")?.hasSuffix("Which room?") == true)
    #expect(talk.say("cellar", by: Self.ann).interpretation.prompt == "Open the cellar?")
    #expect(refused(talk.say("open the door of hall", by: .notEnrolled), "not enrolled") != nil)
    #expect(talk.say("yes", by: Self.ann).interpretation["room"]?.value == "cellar")
  }

  @Test func repeatedRefusalsEndTheDialogue() throws {
    var talk = try Talk(Self.safe)
    _ = talk.say("open the door of hall", by: Self.ann)
    for _ in 0..<2 { #expect(refused(talk.say("yes", by: .notEnrolled), "not enrolled") != nil) }
    guard case .end(let left, .refused) = talk.say("yes", by: .notEnrolled) else {
      Issue.record("still asking")
      return
    }
    #expect(left.reply == "Only ann or bob may ask me for that." && left.prompt == nil)
    #expect(talk.cycle.state == .idle)
    #expect(talk.say("yes", by: Self.ann).interpretation.status == .notUnderstood)
  }
}
