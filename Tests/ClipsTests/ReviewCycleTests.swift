import Clips
import TestServers
import Testing

@Suite(.limited) struct ReviewCycleTests {
  private static func entry(_ second: Int, _ kind: Clip.Kind) -> ClipStore.Entry {
    let clip = Clip(time: ClipTime(milliseconds: second), keyword: "computer", kind: kind, score: 0.5)
    return ClipStore.Entry(clip: clip, label: nil, path: clip.fileName, size: 96_044)
  }

  private let entries = [entry(1, .wake), entry(2, .nearMiss), entry(3, .wake)]

  /// What is shown and played of the clip `number`.
  private func presented(_ number: Int) -> [ReviewCycle.Action] {
    [.show(entries[number - 1], number: number, of: 3), .play(entries[number - 1])]
  }

  @Test func eachClipIsShownPlayedAndLabelled() {
    var review = ReviewCycle(entries)
    #expect(review.begin() == presented(1))
    #expect(review.advance(.key("n")) == [.label(entries[0], .falseAlarm)])
    #expect(review.advance(.done) == [.report(.labelled(.falseAlarm))] + presented(2))
    #expect(review.advance(.key("y")) == [.label(entries[1], .missed)])
    #expect(review.advance(.done) == [.report(.labelled(.missed))] + presented(3))
    #expect(review.advance(.key("y")) == [.label(entries[2], .wake)])
    #expect(
      review.advance(.done) == [
        .report(.labelled(.wake)), .end(ReviewCycle.Counts(labelled: 3, deleted: 0, left: 0)),
      ])
    #expect(review.isOver)
    #expect(review.advance(.key("y")) == [])
  }

  @Test func deletingAsksTwice() {
    var review = ReviewCycle(entries)
    _ = review.begin()
    #expect(review.advance(.key("d")) == [.report(.confirmDeletion)])
    #expect(review.advance(.key("p")) == [.play(entries[0])])
    #expect(review.advance(.key("d")) == [.report(.confirmDeletion)])
    #expect(review.advance(.key("d")) == [.delete(entries[0])])
    #expect(review.advance(.key("d")) == [], "nothing is deleted before the last is gone")
    #expect(review.advance(.done) == [.report(.deleted)] + presented(2))
    #expect(review.advance(.key("q")) == [.end(ReviewCycle.Counts(labelled: 0, deleted: 1, left: 2))])
  }

  @Test func skippedAndFailedClipsAreLeft() {
    var review = ReviewCycle(entries)
    _ = review.begin()
    #expect(review.advance(.key("s")) == presented(2))
    _ = review.advance(.key("n"))
    #expect(review.advance(.failed("gone")) == [.report(.failed("gone"))] + presented(3))
    #expect(review.advance(.failed("no sound")) == [.report(.failed("no sound"))])
    #expect(review.advance(.key("?")) == [.report(.keys)])
    #expect(review.advance(.key("s")) == [.end(ReviewCycle.Counts(labelled: 0, deleted: 0, left: 3))])
  }

  @Test func labelsAndSkipsAreUndoneOneByOne() {
    var review = ReviewCycle(entries)
    _ = review.begin()
    #expect(review.advance(.key("u")) == [.report(.nothingToUndo)])
    _ = review.advance(.key("y"))
    _ = review.advance(.done)
    #expect(review.advance(.key("s")) == presented(3))
    #expect(review.advance(.key("u")) == presented(2))
    #expect(review.advance(.key("u")) == [.unlabel(entries[0], .wake)])
    #expect(review.advance(.key("u")) == [], "one at a time")
    #expect(review.advance(.done) == [.report(.undone)] + presented(1))
    #expect(review.advance(.key("u")) == [.report(.nothingToUndo)])
    #expect(review.advance(.key("q")) == [.end(ReviewCycle.Counts(labelled: 0, deleted: 0, left: 3))])
  }

  @Test func deletedClipsAreNotShownAgainAfterAnUndo() {
    var review = ReviewCycle(entries)
    _ = review.begin()
    _ = review.advance(.key("y"))
    _ = review.advance(.done)
    _ = review.advance(.key("d"))
    _ = review.advance(.key("d"))
    _ = review.advance(.done)
    #expect(review.advance(.key("u")) == [.unlabel(entries[0], .wake)])
    #expect(review.advance(.failed("gone")) == [.report(.failed("gone"))])
    _ = review.advance(.key("u"))
    #expect(review.advance(.done) == [.report(.undone)] + presented(1))
    #expect(review.advance(.key("s")) == presented(3))
  }

  @Test func theEndOfTheKeysEndsItInEveryState() {
    for keys in ["", "d", "y", "dd", "s"] {
      var review = ReviewCycle(entries)
      _ = review.begin()
      for key in keys { _ = review.advance(.key(key)) }
      #expect(review.advance(.ended) == [.end(ReviewCycle.Counts(labelled: 0, deleted: 0, left: 3))])
      #expect(review.isOver)
    }
  }

  @Test func withoutClipsThereIsNothingToDo() {
    var review = ReviewCycle([])
    #expect(review.begin() == [.end(ReviewCycle.Counts())])
  }
}
