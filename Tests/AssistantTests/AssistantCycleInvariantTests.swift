import Assistant
import Platform
import TestServers
import Testing

/// Random inputs in random order, sensible or not: whatever comes, the cycle's promises hold.
@Suite(.limited) struct AssistantCycleInvariantTests {
  private func input(_ random: inout RandomSource, _ cycle: AssistantCycle) -> AssistantInput {
    let session = cycle.session - (random.chance(0.2) ? 1 : 0)
    let position = cycle.position
    switch random.next() % 45 {
    case 0: return .woke(Wake(keyword: "x", start: position - 9_000, end: position - 3_200, score: 0.7))
    case 1: return .gap(end: position + Int(random.next() % 20_000))
    case 2: return random.chance(0.3) ? .deviceLost : .deviceRecovered
    case 3: return random.chance(0.02) ? .streamEnded : .deviceRecovered
    case 4: return .partial(session, text: "a")
    case 5: return .transcript(session, text: random.chance(0.5) ? "a" : "", result: [:])
    case 6: return .recognitionFailed(session, code: 69, message: "a")
    case 7: return .understood(session, .ready, result: [:])
    case 8: return .understood(session, .ask(prompt: "a"), result: [:])
    case 9: return .understood(session, .notUnderstood(reply: nil), result: [:])
    case 10: return .understandingFailed(session, code: 70, message: "a")
    case 11: return .asked(session, end: position - 100)
    case 12: return .handled(session, reply: "a", result: [:])
    case 17: return .recognizerAdvanced(session)
    case 18: return .sentenceEnded(session)
    case 14: return .partial(session, text: "add milk I'm done")
    case 15: return .understood(session, .cancelled(reply: "a"), result: [:])
    case 16: return .understood(session, .forbidden(reply: nil, reason: "a"), result: [:])
    case 19: return .waited(until: position + Int(random.next() % 90_000))
    case 13: return .handlingFailed(session, code: 70, message: "a")
    default:
      return .frame(end: position + 160, voiced: random.chance(0.5), level: random.uniform(-70 ... -20))
    }
  }

  @Test func aWakeIsFollowedByOneIdleAndARecognizerIsClosedOnce() {
    for seed in 0..<200 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      var cycle = AssistantCycle()
      var awake = false
      var recognizer: Session?
      var last = 0
      var fed = 0
      for _ in 0..<3_000 {
        for action in cycle.advance(input(&random, cycle)) {
          switch action {
          case .startRecognizer(let session, let from):
            #expect(awake && recognizer == nil && session > last)
            (recognizer, last, fed) = (session, session, from)
          case .feed(let session, let range):
            #expect(recognizer == session && range.lowerBound == fed && !range.isEmpty)
            fed = range.upperBound
            #expect(fed <= cycle.position)
          case .finishRecognizer(let session):
            #expect(recognizer == session)
            recognizer = nil
          case .cancelRecognizer(let session):
            #expect(session == last)
            recognizer = nil
          case .understand(let session, _), .act(let session), .ask(let session, _):
            #expect(awake && recognizer == nil && session == last)
          case .interrupt(let session): #expect(session == last)
          case .report(let event):
            switch event.kind {
            case .wake:
              #expect(!awake)
              awake = true
            case .idle:
              #expect(awake)
              awake = false
              #expect(recognizer == nil)
            default: break
            }
          }
        }
        #expect(awake == (cycle.state != .idle))
      }
    }
  }
}
