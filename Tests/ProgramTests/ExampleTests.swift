import CommandLineParsing
import HotwordProgram
import Platform
import TestServers
import Testing

/// Runs the examples in the help of every command unchanged.
///
/// Except for training, which takes minutes: HelpTests parses these examples.
@Suite(.limited(minutes: 15), .needsProgram, .serialized) struct ExampleTests {
  private static let names = CommandList.definitions.map(\.name).filter { !$0.hasPrefix("train") }

  @Test(arguments: names) func everyExampleWorks(_ name: String) throws {
    let command = try #require(CommandList.definitions.first { $0.name == name })
    let sandbox = try ExampleSandbox()
    for example in command.examples {
      let outcome = try sandbox.run(example)
      // ZeroconfTests test the announcement with a daemon.
      let lacksDaemon =
        example.contains("--zeroconf") && outcome.faults.count == 1
        && outcome.errors.contains("avahi-daemon")
      // IntentsTests reads a home; here is neither Home Assistant nor its sentences.
      let lacksHome =
        example.contains("homeassistant.local") && [66, 69, 78].contains(outcome.code)
        && outcome.onlyError != nil
      #expect(outcome.code == 0 || lacksDaemon || lacksHome, "\(example): \(outcome.errors)")
    }
  }
}
