import Glibc
import Platform
import TestServers
import Testing

/// Where HOTWORD_REQUIRE_ALL_TESTS is set, as `.ci/run` sets it, all that `make test` installs must be there, so that no test is skipped
/// because an installation failed.
@Suite(
  .limited,
  .enabled(
    if: getenv("HOTWORD_REQUIRE_ALL_TESTS") != nil,
    "set HOTWORD_REQUIRE_ALL_TESTS=1 to fail where one is skipped"))
struct RequirementTests {
  @Test(arguments: [
    ["websockets"], ["wyoming"], ["wyoming", "flask"], ["rhasspyhermes", "paho.mqtt"], ["onnxruntime"],
    ["precise_runner"], ["numpy"],
  ])
  func pythonHas(_ modules: [String]) {
    #expect(
      PythonServer.python(with: modules) != nil,
      "no Python with \(modules.joined(separator: ", ")); run 'make .build/python/ready' and read what pip prints"
    )
  }

  @Test(arguments: [
    "mosquitto", "pulseaudio", "paplay", "flite", "espeak-ng", "gnuplot", "openssl", "dbus-daemon",
    "avahi-daemon", "avahi-browse", "cc", "strace", "haproxy",
  ])
  func programIsInstalled(_ name: String) throws {
    let outcome = try Subprocess(shell: "PATH=$PATH:/usr/sbin; command -v \(name)").run(timeout: 30)
    #expect(outcome.ending == .exited(0), "\(name) is missing; run 'make test-packages'")
  }

  @Test func theProgramsAreBuilt() { #expect(Program.isBuilt, "run 'make'") }
}
