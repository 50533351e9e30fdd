import CommandLineParsing
import Platform
import TestServers
import Testing

/// The examples in the help of every command, typed as they stand.
///
/// But for trainings, which take minutes: HelpTests parses these, and the tests of training train.
@Suite(.limited(minutes: 15), .needsProgram, .serialized) struct ExampleTests {
  private static let names = CommandTable.commands.map(\.name).filter { !$0.hasPrefix("train") }

  @Test(arguments: names) func everyExampleWorks(_ name: String) throws {
    let command = try #require(CommandTable.commands.first { $0.name == name })
    let sandbox = try ExampleSandbox()
    for example in command.examples {
      let outcome = try sandbox.run(example)
      // What Avahi does where its daemon runs is for ZeroconfTests.
      let lacksDaemon =
        example.contains("--zeroconf") && outcome.onlyError?.contains("avahi-daemon") == true
      #expect(outcome.code == 0 || lacksDaemon, "\(example): \(outcome.errors)")
    }
  }
}
