import Platform
import TestServers
import Testing

private enum Analysis {
  static let isThere = (try? Program.shell("systemd-analyze --version >/dev/null"))?.code == 0
}

/// The systemd units, checked by systemd-analyze.
@Suite(.limited, .needsProgram, .enabled(if: Analysis.isThere, "no systemd-analyze, of Debian's systemd"))
struct UnitTests {
  /// A unit that runs this build.
  private func unit(_ name: String) throws -> String {
    let text = String(decoding: try Files.read("\(Program.root)/Packaging/systemd/\(name)"), as: UTF8.self)
    let file = String(name.split(separator: "/").last ?? "")
    return try Program.file(file, Array(text.replacing("/usr/bin/hotword", with: Program.path).utf8))
  }

  @Test(arguments: ["hotword.service", "hotword-wyoming.service", "hotword-satellite.service"])
  func aSystemUnitIsValidAndConfined(_ name: String) throws {
    let path = try unit(name)
    let outcome = try Program.shell("systemd-analyze verify --man=no \(path)")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    // The exposure is in tenths.
    let security = "systemd-analyze security --offline=true --threshold=20 --no-pager \(path)"
    let exposure = try Program.shell(security)
    #expect(exposure.code == 0, "\(exposure.output)")
  }

  @Test func theUserUnitIsValid() throws {
    let path = try unit("user/hotword.service")
    let outcome = try Program.shell("XDG_RUNTIME_DIR=$HOME systemd-analyze verify --man=no --user \(path)")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
  }
}
