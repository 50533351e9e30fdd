import Platform
import SpeechSynthesis
import TestServers
import Testing

@Suite(.limited) struct SpeechQueueTests {
  @Test func itemsPlayInOrderAndAreReportedOnce() {
    var queue = SpeechQueue()
    #expect(queue.enqueue(.words("one")).actions == [.prepare(1, .words("one"))])
    #expect(queue.enqueue(.sound(.end)).actions == [])
    #expect(queue.prepared(1) == [.play(1)])
    #expect(queue.prepared(1) == [])
    #expect(queue.finished(1) == [.report(1, .done), .prepare(2, .sound(.end))])
    #expect(queue.finished(1) == [])
    #expect(queue.failed(2) == [.report(2, .failed)])
    #expect(queue.isIdle)
  }

  @Test func aPausedItemContinuesAtItsPosition() {
    var queue = SpeechQueue()
    _ = queue.enqueue(.words("one"))
    _ = queue.enqueue(.words("two"))
    _ = queue.prepared(1)
    #expect(queue.pause() == [.hold(1)])
    #expect(queue.pause() == [])
    #expect(queue.finished(1) == [], "it was held")
    #expect(queue.resume() == [.play(1)])
    #expect(queue.finished(1) == [.report(1, .done), .prepare(2, .words("two"))])
    #expect(queue.pause() == [], "nothing is playing yet")
    #expect(queue.prepared(2) == [])
    #expect(queue.resume() == [.play(2)])
  }

  @Test func anUrgentSoundPlaysWhileWordsArePaused() {
    var queue = SpeechQueue()
    _ = queue.enqueue(.words("one"))
    _ = queue.prepared(1)
    _ = queue.pause()
    #expect(queue.enqueue(.words("two")).actions == [])
    #expect(queue.enqueue(.sound(.ring), isUrgent: true).actions == [.prepare(3, .sound(.ring))])
    #expect(queue.prepared(3) == [.play(3)])
    #expect(queue.finished(3) == [.report(3, .done)])
    #expect(queue.resume() == [.play(1)])
  }

  @Test func stoppingDiscardsAndReportsEveryItem() {
    var queue = SpeechQueue()
    for word in ["one", "two"] { _ = queue.enqueue(.words(word)) }
    _ = queue.prepared(1)
    _ = queue.pause()
    _ = queue.enqueue(.sound(.ring), isUrgent: true)
    #expect(
      queue.stop() == [
        .drop(3), .report(3, .interrupted), .drop(1), .report(1, .interrupted), .report(2, .interrupted),
      ])
    #expect(queue.isIdle && !queue.isPaused)
    #expect(queue.prepared(3) == [])
    #expect(queue.enqueue(.words("three")).actions == [.prepare(4, .words("three"))])
  }

  @Test func urgentItemsAreStoppedAloneAndTheHeldOneContinues() {
    var queue = SpeechQueue()
    _ = queue.enqueue(.words("one"))
    _ = queue.prepared(1)
    _ = queue.pause()
    _ = queue.enqueue(.sound(.ring), isUrgent: true)
    _ = queue.enqueue(.sound(.end), isUrgent: true)
    #expect(queue.stopUrgent() == [.drop(2), .report(2, .interrupted), .report(3, .interrupted)])
    #expect(queue.stopUrgent() == [])
    #expect(queue.resume() == [.play(1)])
  }

  @Test func theOthersAreStoppedAloneAndTheUrgentOnePlaysOn() {
    var queue = SpeechQueue()
    _ = queue.enqueue(.words("one"))
    _ = queue.enqueue(.words("two"))
    _ = queue.prepared(1)
    _ = queue.pause()
    _ = queue.enqueue(.sound(.ring), isUrgent: true)
    _ = queue.prepared(3)
    #expect(queue.stopOthers() == [.drop(1), .report(1, .interrupted), .report(2, .interrupted)])
    #expect(queue.finished(3) == [.report(3, .done)])
    #expect(queue.isIdle)
  }

  @Test func everyItemIsReportedOnceAndOneIsPlayedAtATime() {
    for seed in 0..<100 as Range<UInt64> {
      var random = RandomSource(seed: seed)
      var queue = SpeechQueue()
      var enqueued = 0
      var reported: [Int] = []
      var sounding: Set<Int> = []
      func take(_ actions: [SpeechQueue.Action]) {
        for action in actions {
          switch action {
          case .play(let ticket):
            sounding.insert(ticket)
            #expect(sounding.count == 1)
          case .hold(let ticket), .drop(let ticket): sounding.remove(ticket)
          case .report(let ticket, _):
            sounding.remove(ticket)
            reported.append(ticket)
          case .prepare: #expect(sounding.isEmpty)
          }
        }
      }
      for _ in 0..<500 {
        let ticket = max(1, enqueued - Int(random.next() % 4))
        switch random.next() % 9 {
        case 0, 1:
          enqueued += 1
          take(queue.enqueue(.words("x"), isUrgent: random.chance(0.3)).actions)
        case 2, 3: take(queue.prepared(ticket))
        case 4, 5: take(queue.finished(ticket))
        case 6: take(queue.failed(ticket))
        case 7: take(random.chance(0.5) ? queue.pause() : queue.resume())
        default: if random.chance(0.1) { take(queue.stop()) }
        }
      }
      take(queue.stop())
      #expect(reported.sorted() == Array(0...enqueued).dropFirst().map(\.self))
    }
  }

  @Test func aFullQueueRejectsItems() {
    var queue = SpeechQueue()
    let endings = (0..<1_000).flatMap { _ in queue.enqueue(.words("x")).actions }
    #expect(endings.filter { if case .report(_, .failed) = $0 { true } else { false } }.count == 899)
  }
}
