import Platform
import TestServers
import Testing

/// The modules depend on each other as `Documentation/architecture.md` says.
@Suite(.limited) struct ArchitectureTests {
  /// The groups of modules, from left to right.
  private static let groups = [
    "Support", "Audio", "Detection", "Conversation", "Integrations", "Service", "Training", "Interfaces",
  ]

  private struct Import {
    let file: String
    let group: String
    let module: String
    let imported: String
  }

  private static func imports() throws -> [Import] {
    try Program.shell("grep -rHoE '^[a-z@ ]*import [A-Za-z]+' Sources --include='*.swift'").lines.map {
      line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let folders = parts[0].split(separator: "/").map(String.init)
      return Import(
        file: String(parts[0]), group: folders[1], module: folders[2],
        imported: String(parts[1].split(separator: " ").last!))
    }
  }

  @Test func importsPointLeftOrDown() throws {
    let imports = try Self.imports()
    let groupOfModule = Dictionary(imports.map { ($0.module, $0.group) }) { first, _ in first }
    #expect(Set(groupOfModule.values) == Set(Self.groups))
    #expect(groupOfModule.count > 30)
    for entry in imports {
      guard let group = groupOfModule[entry.imported] else { continue }
      #expect(
        Self.groups.firstIndex(of: group)! <= Self.groups.firstIndex(of: entry.group)!,
        "\(entry.file) imports \(entry.imported), which is in \(group)")
    }
  }

  /// The folders of `Sources` that each of its Swift modules depends on by Package.swift.
  private static func dependencies() throws -> [String: Set<String>] {
    let folders = Set(
      try Program.shell("cd Sources; ls -d */*/").lines.compactMap {
        $0.split(separator: "/").last.map(String.init)
      })
    let package = String(decoding: try Files.read("\(Program.root)/Package.swift"), as: UTF8.self)
    var targets: [String] = []
    for line in package.split(separator: "\n") {
      let isFirst = line.hasPrefix("    ") && !line.hasPrefix("     ")
      if isFirst { targets.append("") }
      if !targets.isEmpty { targets[targets.count - 1] += line }
    }
    var found: [String: Set<String>] = [:]
    for target in targets {
      var names = target.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
      if target.hasPrefix("    module(") {
        names.removeFirst()
      } else if !target.hasPrefix("    .target("), !target.hasPrefix("    .executableTarget(") {
        continue
      }
      if let name = names.first, folders.contains(name) {
        found[name] = folders.intersection(names.dropFirst())
      }
    }
    return found
  }

  @Test func eachModuleDependsOnWhatItImports() throws {
    let dependencies = try Self.dependencies()
    #expect(dependencies.count > 30)
    let imports = Dictionary(grouping: try Self.imports(), by: \.module)
    let ours = Set(dependencies.keys).union(dependencies.values.joined())
    for (module, known) in dependencies {
      let imported = ours.intersection((imports[module] ?? []).map(\.imported))
      #expect(imported == known, "\(module)")
    }
  }

  @Test func theListeningProgramHasNoTrainingCode() throws {
    let imports = try Self.imports()
    var reached: Set = ["HotwordProgram"]
    while true {
      let next = reached.union(imports.filter { reached.contains($0.module) }.map(\.imported))
      if next == reached { break }
      reached = next
    }
    #expect(reached.contains("Detection"))
    #expect(reached.isDisjoint(with: ["Training", "Evaluation", "CTraining"]))
  }
}
