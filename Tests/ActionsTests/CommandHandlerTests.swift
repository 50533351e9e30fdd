import Actions
import Platform
import TestServers
import Testing
import Understanding

@Suite(.limited) struct CommandHandlerTests {
  static func fault(_ handler: CommandHandler) -> ActionFault? {
    do throws(ActionFault) {
      _ = try handler.handle(HandlerTests.event)
      return nil
    } catch {
      return error
    }
  }

  @Test func theCommandReadsTheEventAndPrintsTheReply() throws {
    let event = HandlerTests.event.json.description
    #expect(try CommandHandler("cut -c2-").handle(HandlerTests.event)?.reply == String(event.dropFirst()))
    #expect(try CommandHandler("printf '\\n  Done.  \\n\\n'").handle(HandlerTests.event) == "Done.")
    #expect(try CommandHandler("true").handle(HandlerTests.event) == nil)
  }

  @Test func aCommandMayIgnoreItsInput() throws {
    let long = String(repeating: "light ", count: 100_000)
    #expect(try CommandHandler("exec <&-; echo ok").handle(HandlerTests.event(long, "TurnOn")) == "ok")
  }

  @Test func aCommandRunsOnlyForItsIntents() throws {
    #expect(try CommandHandler("echo hi", intents: ["TurnOn"]).handle(HandlerTests.event) == nil)
    #expect(try CommandHandler("echo hi", intents: ["GetTime"]).handle(HandlerTests.event) == "hi")
    #expect(try CommandHandler("echo hi").handle(HandlerTests.event("blah", nil)) == nil)
  }

  @Test func aFaultContainsTheLastErrorLine() {
    let command = "echo first >&2; echo 'lamp is unplugged' >&2; echo; exit 3"
    let fault = Self.fault(CommandHandler(command))
    #expect(fault == .failed(command: "echo", status: 3, detail: "lamp is unplugged"))
    #expect(fault?.message == "echo: failed with status 3: lamp is unplugged")
    #expect(fault?.exitCode == .unavailable)
    #expect(Self.fault(CommandHandler("exit 1")) == .failed(command: "exit", status: 1, detail: nil))
    #expect(
      Self.fault(CommandHandler("no-such-command-here 2>/dev/null"))
        == .failed(command: "no-such-command-here", status: 127, detail: nil))
  }

  @Test func outputIsCleanedForTheTerminal() {
    let command = "printf 'lamp \\033[2J is\\tdead\\n' >&2; exit 1"
    #expect(
      Self.fault(CommandHandler(command)) == .failed(command: "printf", status: 1, detail: "lamp [2J is dead")
    )
    let broken = CommandHandler(#"echo '{"reply":5}'"#)
    #expect(Self.fault(broken) == .noAnswer(command: "echo"))
    #expect(Self.fault(broken)?.exitCode == .badData)
  }

  @Test func aCommandMayLeaveProcessesRunning() throws {
    let start = MonotonicClock.now()
    #expect(try CommandHandler("cat >/dev/null; (sleep 6) & echo hi").handle(HandlerTests.event) == "hi")
    #expect(MonotonicClock.now() - start < 5)
  }

  @Test func theEndOfLongErrorOutputIsKept() {
    let command = "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1"
    #expect(
      Self.fault(CommandHandler(command)) == .failed(command: "command", status: 1, detail: "line 19999"))
  }

  @Test func aFaultNamesTheSignal() {
    let command = "echo oops >&2; kill -9 $$"
    #expect(Self.fault(CommandHandler(command)) == .killed(command: "echo", signal: 9, detail: "oops"))
  }

  @Test(arguments: ["sleep 30", "trap '' TERM; sleep 30 & wait; sleep 30"])
  func aCommandThatHangsIsStopped(_ command: String) {
    let start = MonotonicClock.now()
    let fault = Self.fault(CommandHandler(command, timeout: 0.3))
    #expect(fault == .timedOut(command: Subprocess.name(ofShell: command), seconds: 0.3))
    #expect(fault?.message.contains("after 0.3 s") == true)
    #expect(MonotonicClock.now() - start < 5)
  }

  @Test func aCancelledCommandIsStopped() {
    let start = MonotonicClock.now()
    let handler = CommandHandler("sleep 30") { true }
    #expect(Self.fault(handler) == .cancelled(command: "sleep"))
    #expect(MonotonicClock.now() - start < 5)
  }
}
