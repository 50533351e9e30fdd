import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct SubprocessTests {
  @Test func itPassesInputAndOutput() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let result = try Subprocess(["cat"]).run(input: bytes, timeout: 20)
    #expect(result.ending == .exited(0))
    #expect(result.output == bytes)
  }

  @Test func standardErrorIsGivenAsItComes() throws {
    var seen: [UInt8] = []
    let program = Subprocess(shell: "echo one >&2; while :; do sleep 0.02; done")
    let result = try program.run(
      timeout: 60, keepsErrors: true, errors: { seen += $0 }, cancelled: { seen.last == UInt8(ascii: "\n") })
    #expect(result.ending == .cancelled)
    #expect(String(decoding: seen, as: UTF8.self) == "one\n")
  }

  @Test func itReturnsExitStatusesAndSignals() throws {
    #expect(try Subprocess(shell: "exit 3").run(timeout: 10).ending == .exited(3))
    #expect(try Subprocess(shell: "kill -9 $$").run(timeout: 10).ending == .killed(signal: 9))
  }

  @Test func aProgramNeedNotReadItsInput() throws {
    let result = try Subprocess(shell: "echo done").run(
      input: [UInt8](repeating: 0, count: 1_000_000), timeout: 10)
    #expect(result.output == Array("done\n".utf8))
  }

  @Test(arguments: ["sleep 30", "trap '' TERM; while true; do sleep 1; done"])
  func aProgramThatHangsIsStopped(_ line: String) throws {
    let start = MonotonicClock.now()
    #expect(try Subprocess(shell: line).run(timeout: 0.2).ending == .timedOut)
    #expect(MonotonicClock.now() - start < 5)
  }

  /// A pipe that another thread is about to close on exec, or that a library never does.
  @Test func aProgramInheritsOnlyItsStandardStreams() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let result = try Subprocess(shell: "ls /proc/$$/fd; true").run(timeout: 10, keepsErrors: true)
    #expect(String(decoding: result.output, as: UTF8.self) == "0\n1\n2\n")
  }

  @Test func itCanBeCancelled() throws {
    #expect(try Subprocess(shell: "sleep 30").run(timeout: 20, cancelled: { true }).ending == .cancelled)
  }

  @Test func itDoesNotWaitForProcessesLeftBehind() throws {
    let start = MonotonicClock.now()
    let result = try Subprocess(shell: "(sleep 6; echo late) & head -c 200000 /dev/zero; echo gone >&2")
      .run(timeout: 5, keepsErrors: true)
    #expect(result.ending == .exited(0))
    #expect(result.output.count == 200_000)
    #expect(result.lastErrorLine == "gone")
    #expect(MonotonicClock.now() - start < 4)
  }

  @Test func theLastErrorLineHasNoControlCharacters() throws {
    let line = "printf 'a\\033]0;title\\007b\\n' >&2; exit 1"
    #expect(try Subprocess(shell: line).run(timeout: 5, keepsErrors: true).lastErrorLine == "a ]0;title b")
  }

  @Test func messagesNameTheProgramOfAShellLineAndNothingThatCouldBeAKey() {
    for (line, name) in [
      ("curl -H 'Authorization: Bearer abc' https://host", "curl"),
      ("KEY=abc /usr/bin/notify --all", "notify"),
      ("A=1 B=x:y,z run", "run"), ("KEY='a b' curl", "command"), ("KEY=$(cat key) curl", "command"),
      ("", "command"),
      ("'/opt/my programs/run' x", "command"), ("exit 3", "exit"), ("  /bin/ ", "bin"), ("/", "command"),
    ] {
      #expect(Subprocess.name(ofShell: line) == name, "\(line)")
    }
  }

  /// Its standard error is read, but never for longer than its time.
  @Test func aProgramThatFloodsItsErrorsIsStopped() throws {
    let start = MonotonicClock.now()
    let result = try Subprocess(["yes"]).run(timeout: 0.3)
    #expect(result.ending == .timedOut)
    let flood = try Subprocess(shell: "exec yes >&2").run(timeout: 0.3, keepsErrors: true)
    #expect(flood.ending == .timedOut && flood.lastErrorLine == "y")
    #expect(MonotonicClock.now() - start < 10)
  }

  @Test func theFaultNamesAMissingProgram() {
    let fault = thrown(SystemFault.self) { try Subprocess(["/nonexistent/program"]).run(timeout: 1) }
    #expect(fault?.message.contains("/nonexistent/program") == true)
  }
}
