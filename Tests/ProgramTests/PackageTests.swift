import Platform
import TestServers
import Testing

/// The files of `make install` and of the Debian package.
@Suite(.limited, .needsProgram) struct PackageTests {
  private static let debian = "\(Program.root)/Packaging/debian"

  private func text(_ path: String) throws -> String { String(decoding: try Files.read(path), as: UTF8.self) }

  @Test func theChangelogHasThisVersion() throws {
    let version = try Program.run(["--version"]).output.split(separator: " ").last?.dropLast() ?? ""
    #expect(try text("\(Self.debian)/changelog").hasPrefix("hotword (\(version)) "))
  }

  @Test func everyFileIsInstalledInItsFolder() throws {
    let folder = Program.temporaryFolder()
    let outcome = try Program.shell("make -s install DESTDIR=\(folder) PREFIX=/usr STRIP=", timeout: 120)
    #expect(outcome.code == 0, "\(outcome.errors)")
    for path in [
      "etc/hotword/config.yaml", "etc/hotword/satellite.yaml", "usr/bin/hotword", "usr/bin/hotword-train",
      "usr/lib/libhotword.so",
      "usr/include/hotword.h", "usr/lib/systemd/system/hotword.service",
      "usr/lib/systemd/user/hotword.service",
      "usr/share/man/man1/hotword.1", "usr/share/man/man1/hotword-run.1",
      "usr/share/man/man5/hotword-intents.5",
      "usr/share/bash-completion/completions/hotword", "usr/share/zsh/vendor-completions/_hotword",
      "usr/share/fish/vendor_completions.d/hotword.fish", "usr/share/hotword/models/computer.safetensors",
      "usr/share/hotword/models/recognition/en/1.safetensors",
      "usr/share/hotword/models/training/background.bin",
      "usr/share/hotword/models/training/bands.bin",
      "usr/share/doc/hotword/README.md", "usr/share/doc/hotword/examples/ride.yaml",
      "usr/share/doc/hotword/Documentation/listen.md", "usr/share/doc/hotword/examples/haproxy/hotword.cfg",
      "usr/share/doc/hotword/Documentation/pictures/monitor.png",
    ] { #expect(Files.exists("\(folder)/\(path)"), "\(path)") }
    let models = try Program.shell(
      "cd /; \(folder)/usr/bin/hotword models show \(folder)/usr/share/hotword/models/jarvis.safetensors")
    #expect(models.output.contains("jarvis"))
    _ = try Program.shell("rm -r \(folder)")
  }

  /// `--output` gets one page for each command.
  @Test func everyCommandHasAManualPage() throws {
    let folder = Program.temporaryFolder() + "/man"
    let outcome = try Program.run(["manual", "--output", folder])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let names = try Program.run(["--help"]).lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first }
    #expect(names.count > 15)
    #expect(try Files.names(in: folder).count == names.count + 1)
    for name in names { #expect(Files.exists("\(folder)/hotword-\(name).1"), "\(name)") }
    #expect(try Program.run(["manual", "--section", "5", "--output", "\(folder)/5"]).code == 0)
    #expect(try Files.names(in: "\(folder)/5") == ["hotword-intents.5"])
    let refused = try Program.run(["manual", "--output", "/dev/null/man"])
    #expect(refused.code == 74 || refused.code == 77)
    #expect(refused.onlyError?.contains("/dev/null") == true, "\(refused.errors)")
  }

  @Test func completionsCoverEveryCommand() throws {
    for shell in ["bash", "zsh", "fish"] {
      let outcome = try Program.run(["completions", shell])
      #expect(outcome.code == 0 && outcome.output.contains("train-encoder"), "\(shell)")
    }
    let slip = try Program.run(["completions", "fihs"])
    #expect(slip.code == 64 && slip.onlyError?.contains("did you mean fish?") == true, "\(slip.errors)")
  }
}
