import Platform
import TestServers
import Testing
import YAMLFormat

/// The Containerfile, the compose file and the add-on use options and files that exist.
@Suite(.limited, .needsProgram) struct ContainerTests {
  private static let addOn = "Packaging/homeassistant-addon/hotword"

  private static func text(_ path: String) throws -> String {
    String(decoding: try Files.read("\(Program.root)/\(path)"), as: UTF8.self)
  }

  private static func yaml(_ path: String) throws -> YAMLNode {
    try YAMLReader.read(try Files.read("\(Program.root)/\(path)"), file: path)
  }

  private static func keys(_ node: YAMLNode?) -> [String] { (node?.mapping ?? []).map(\.key).sorted() }

  /// Checks the words of a command: its name, and the options that begin with `--`.
  private static func check(_ words: [String], _ place: String) throws {
    let name = try #require(words.first, "\(place)")
    let help = try Program.run([name, "--help"])
    #expect(help.code == 0, "\(place): \(name)")
    for word in words.dropFirst() where word.hasPrefix("--") {
      let option = word.prefix { $0 != "=" }
      #expect(help.lines.contains { $0.hasPrefix("  \(option)") }, "\(place): \(word)")
    }
  }

  @Test func everyYAMLFileIsValid() throws {
    let paths = try Program.shell("find Packaging -name '*.yaml'").lines
    #expect(paths.count >= 7)
    for path in paths { #expect(try Self.yaml(path).mapping?.isEmpty == false, "\(path)") }
  }

  @Test func theCommandsOfTheImageExist() throws {
    let lines = try Self.text("Containerfile").split(separator: "\n").filter { $0.hasPrefix("CMD [") }
    #expect(lines.count == 2)
    for line in lines {
      let words = try JSON(parsing: Array(line.dropFirst(4).utf8), what: "CMD").array ?? []
      try Self.check(words.compactMap(\.string), "Containerfile")
    }
  }

  @Test func theCommandsOfTheServicesExist() throws {
    let path = "Packaging/container/compose.yaml"
    let services = try #require(try Self.yaml(path)["services"]?.mapping)
    #expect(services.map(\.key) == ["server", "card", "desktop"])
    for service in services {
      let words = service.value["command"]?.sequence?.compactMap(\.text) ?? []
      try Self.check(words, "\(path): \(service.key)")
      #expect(service.value["profiles"]?.sequence?.first?.text == service.key)
    }
  }

  @Test func theCommandsShownExist() throws {
    let page = try MarkdownPage("Documentation/containers.md")
    var count = 0
    for command in page.commands {
      let words = command.line.split(separator: " ").map(String.init)
      let images = ["hotword", "hotword:full"]
      guard words.starts(with: ["podman", "run"]),
        let image = words.indices.first(where: { images.contains(words[$0]) && words[$0 - 1] != "--name" }),
        image + 1 < words.count
      else { continue }
      count += 1
      try Self.check(Array(words[(image + 1)...]), command.line)
    }
    #expect(count > 3)
  }

  @Test func theAddOnHasADefaultANameAndAUseForEachOption() throws {
    let config = try Self.yaml("\(Self.addOn)/config.yaml")
    let schema = Self.keys(config["schema"])
    let optional = (config["schema"]?.mapping ?? []).filter { $0.value.text?.hasSuffix("?") == true }.map(
      \.key)
    #expect(Self.keys(config["options"]) == schema.filter { !optional.contains($0) })
    for language in ["en", "de"] {
      let names = try Self.yaml("\(Self.addOn)/translations/\(language).yaml")
      #expect(Self.keys(names["configuration"]) == schema, "\(language)")
      for entry in names["configuration"]?.mapping ?? [] {
        #expect(Self.keys(entry.value) == ["description", "name"], "\(language): \(entry.key)")
      }
      #expect(Self.keys(names["network"]) == Self.keys(config["ports"]), "\(language)")
    }
    let script = try Self.text("\(Self.addOn)/run.sh")
    for option in schema {
      #expect(script.contains("option \(option))") || script.contains(".\(option)["), "\(option)")
    }
    let version = try Program.run(["--version"]).output
    #expect(version.hasSuffix(" \(config["version"]?.text ?? "?")\n"))
  }

  @Test func theOptionsOfTheAddOnAreTheServers() throws {
    let script = try Self.text("\(Self.addOn)/run.sh")
    let words = script.split(separator: "\n").filter { $0.contains("words+=(") || $0.hasPrefix("words=(") }
      .flatMap { $0.split { " ()".contains($0) } }.map(String.init).filter { $0.hasPrefix("--") }
    #expect(words.count > 6)
    try Self.check(["serve"] + words, "run.sh")
  }
}
