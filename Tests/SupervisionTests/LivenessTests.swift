import Supervision
import TestServers
import Testing

/// When a restart would help, and when not.
@Suite(.limited) struct LivenessTests {
  /// What is wrong at the end of `seconds`, looked at twice a second, when `signs` tells where things stand.
  private func problems(
    after seconds: Double, expectsAudio: Bool = true, _ signs: (Double) -> Liveness.Signs
  ) -> [Liveness.Problem] {
    var liveness = Liveness(expectsAudio: expectsAudio, longestJob: 60)
    var problems: [Liveness.Problem] = []
    for step in 0...Int(seconds * 2) {
      let now = Double(step) / 2
      problems = liveness.observe(signs(now), at: 1000 + now)
    }
    return problems
  }

  @Test func aServiceThatProcessesFramesIsWell() {
    #expect(
      problems(after: 60) {
        Liveness.Signs(turns: Int($0 * 100), rounds: Int($0 * 100), frames: Int($0 * 100))
      } == [])
  }

  @Test func aLoopThatHangsIsFatalAfterFiveSeconds() {
    let hung = { (now: Double) in
      Liveness.Signs(
        turns: Int(min(now, 10) * 100), rounds: Int(min(now, 10) * 100), frames: Int(min(now, 10) * 100))
    }
    #expect(problems(after: 15, hung) == [])
    #expect(problems(after: 16, hung) == [.loopHangs(seconds: 6)])
    #expect(Liveness.Problem.loopHangs(seconds: 6).isFatal)
  }

  @Test func aConsumerThatHangsIsFatalToo() {
    let hung = { (now: Double) in
      Liveness.Signs(turns: Int(now * 100), rounds: Int(min(now, 10) * 100), frames: Int(now * 100))
    }
    #expect(problems(after: 16, hung) == [.loopHangs(seconds: 6)])
  }

  @Test func aLoopThatNeverTurnsIsFatal() {
    #expect(problems(after: 6, expectsAudio: false) { _ in Liveness.Signs() } == [.loopHangs(seconds: 6)])
  }

  @Test func aLostDeviceIsAProblemButNotFatal() {
    let lost = { (now: Double) in
      Liveness.Signs(
        turns: Int(now), rounds: Int(now), frames: Int(min(now, 5) * 100), isDeviceLost: now >= 5)
    }
    #expect(problems(after: 65, lost) == [.deviceLost(seconds: 60)])
    #expect(!Liveness.Problem.deviceLost(seconds: 60).isFatal)
  }

  @Test func aDeviceThatComesBackIsWellAtOnce() {
    let back = { (now: Double) in
      Liveness.Signs(
        turns: Int(now * 2), rounds: Int(now * 2), frames: now < 5 || now > 60 ? Int(now * 100) : 500,
        isDeviceLost: now >= 5 && now < 60)
    }
    #expect(problems(after: 61, back) == [])
  }

  @Test func aDeviceThatIsThereAndGivesNothingIsFatal() {
    let quiet = { (now: Double) in
      Liveness.Signs(turns: Int(now * 2), rounds: Int(now * 2), frames: Int(min(now, 5) * 100))
    }
    #expect(problems(after: 13, quiet) == [])
    #expect(problems(after: 14, quiet) == [.noAudio(seconds: 9)])
    #expect(problems(after: 60, expectsAudio: false, quiet) == [], "a pipe may pause")
  }

  @Test func aJobWithoutEndIsFatal() {
    let stuck = { (now: Double) in
      Liveness.Signs(turns: Int(now * 100), rounds: Int(now * 100), frames: Int(now * 100), job: 1)
    }
    #expect(problems(after: 60, stuck) == [])
    #expect(problems(after: 61, stuck) == [.conversationHangs(seconds: 61)])
  }

  @Test func theTimeInWhichTheWholeProcessWasStoppedIsNoHang() {
    let stopped = Liveness.Signs(turns: 1000, rounds: 1000, frames: 1000, job: 1)
    var liveness = Liveness(expectsAudio: true, longestJob: 60)
    for step in 0...20 {
      let signs = Liveness.Signs(turns: step * 50, rounds: step * 50, frames: step * 50, job: 1)
      #expect(liveness.observe(signs, at: Double(step) / 2) == [])
    }
    #expect(liveness.observe(stopped, at: 3610) == [], "an hour without an observation")
    #expect(liveness.observe(stopped, at: 3614) == [])
    for step in 1...8 { _ = liveness.observe(stopped, at: 3614 + Double(step) / 2) }
    #expect(
      liveness.observe(stopped, at: 3619) == [.loopHangs(seconds: 7)], "what does not go on afterwards hangs")
  }
}
