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
