import Glibc
import Platform
import TestServers
import Testing

/// `hotword run --check`, and where the configuration is found.
@Suite(.limited, .needsProgram) struct CheckTests {
  private func check(_ text: String) throws -> Program.Outcome {
    try Program.run(["run", "--check", "--config", Program.file("config.yaml", Array(text.utf8))])
  }

  @Test func whatIsRightIsSaidToBe() throws {
    let outcome = try check(
      "input: \(Program.recording)\nmodels: [computer, jarvis:0.7]\nhandlers: ['command:cat -']\n")
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("config.yaml: nothing is wrong\n"))
    #expect(outcome.errors.isEmpty)
  }

  @Test func everyFaultIsTold() throws {
    let outcome = try check(
      """
      modles: [computer]
      silence: 99
      models: [computer, jarviss, /nonexistent/x.safetensors]
      input: alsa:hw:CARD=nothing
      recognizer: [whisper, 'command:/nonexistent/r -f', 'openai:https://x/v1,key=/nonexistent/key,ca=/nonexistent/ca']
      intents: /nonexistent/home.yaml
      understanding: rasa:http://localhost:1,token=x
      handlers: [printt, 'command:no-such-program', 'mqtt://x,password=/nonexistent/password']
      keep: /proc/version/clips
      """)
    #expect(outcome.code == ExitCode.configuration.rawValue)
    #expect(outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("hotword: ") })
    let parts = [
      "config.yaml:1:1: unknown key 'modles'; did you mean models?", "config.yaml:2:10: silence",
      "did you mean \"jarvis\"?", "/nonexistent/x.safetensors", "hw:CARD=nothing", "'whisper'",
      "no program '/nonexistent/r'", "/nonexistent/key", "/nonexistent/ca", "/nonexistent/home.yaml",
      "'token'",
      "'printt'", "no program 'no-such-program'", "/nonexistent/password", "/proc/version/clips",
    ]
    for part in parts { #expect(lines.count { $0.contains(part) } == 1, "\(part): \(outcome.errors)") }
    #expect(lines.count == parts.count, "\(outcome.errors)")
  }

  @Test func questionsWithoutAnswersOfTheirLanguageAreAWarning() throws {
    let text = "language: de\nintents: {Licht: {confirm: Licht an?, data: [{sentences: [Licht an]}]}}\n"
    func errors(_ intents: String) throws -> String {
      let file = try Program.file("licht.yaml", Array(intents.utf8))
      let outcome = try check(
        "input: \(Program.recording)\nintents: \(file)\nrecognizer: ['command:cat']\n")
      #expect(outcome.code == 0, "\(outcome.errors)")
      return outcome.errors
    }
    #expect(try errors(text).contains("asks questions in 'de'"))
    #expect(try errors(text + "dialogue: {words: {yes: [ja], no: [nein]}}\n").isEmpty)
  }

  @Test func aScriptThatMayNotBeExecutedIsToldWithTheFix() throws {
    let script = try Program.file("act", Array("#!/bin/sh\n".utf8))
    let settings = "input: \(Program.recording)\nhandlers: ['command:\(script) now']\n"
    let outcome = try check(settings)
    #expect(outcome.code == ExitCode.unavailable.rawValue)
    #expect(outcome.onlyError?.contains("run 'chmod +x \(script)'") == true, "\(outcome.errors)")
    #expect(chmod(script, 0o755) == 0)
    #expect(try check(settings).code == 0)
  }

  @Test func voicesOfTheIntentFileThatAreNotEnrolledAreReported() throws {
    let outcome = try Program.shell(
      """
      mkdir -p $HOME/.local/share/hotword/voices && touch $HOME/.local/share/hotword/voices/anne.voice
      cat >$HOME/door.yaml <<'END'
      language: en
      intents:
        OpenDoor:
          data: [{sentences: ["open the door"]}]
          voice: [ann, anne]
      END
      hotword run --check --input \(Program.recording) --intents $HOME/door.yaml
      """)
    #expect(outcome.code == ExitCode.badData.rawValue)
    let line = "/door.yaml:5:13: no voice 'ann' is enrolled; did you mean 'anne'?"
    let lines = outcome.errors.split(separator: "\n").filter { $0.contains("door.yaml") }
    #expect(lines.count == 1 && lines[0].hasSuffix(line), "\(outcome.errors)")
  }

  @Test func nothingListensMeanwhile() throws {
    let started = MonotonicClock.now()
    let outcome = try Program.shell(
      "mkfifo $HOME/pipe; hotword run --check --input - <$HOME/pipe & sleep 5 >$HOME/pipe")
    #expect(outcome.output.contains("nothing is wrong"))
    #expect(MonotonicClock.now() - started < 20)
  }

  @Test func theConfigurationIsFoundWhereItLies() throws {
    let line = """
      mkdir -p $HOME/.config/hotword $HOME/x/hotword
      echo 'models: [jarvis]' >$HOME/.config/hotword/config.yaml
      echo 'nonsense: 1' >$HOME/x/hotword/config.yaml
      hotword run --input \(Program.recording) --metrics 127.0.0.1:0; echo $?
      XDG_CONFIG_HOME=$HOME/x hotword run --input \(Program.recording); echo $?
      """
    let outcome = try Program.shell(line)
    #expect(!outcome.output.contains("wake"), "jarvis is not said")
    #expect(outcome.lines.filter { Int($0) != nil } == ["0", "78"])
    #expect(
      outcome.errors.contains("settings from ") && outcome.errors.contains("/.config/hotword/config.yaml"))
    #expect(outcome.errors.contains("/x/hotword/config.yaml:1:1: unknown key 'nonsense'"))
  }
}
