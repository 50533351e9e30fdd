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
      Liveness.Signs(turns: Int(now * 100), rounds: Int(now * 100), frames: Int(now * 100), jobSeconds: now)
    }
    #expect(problems(after: 60, stuck) == [])
    #expect(problems(after: 61, stuck) == [.conversationHangs(seconds: 61)])
  }
}
