import Platform

/// A page of the README or the manual: its code blocks, links, headings and tables.
struct MarkdownPage {
  struct Block {
    /// What follows the opening fence, as `console` or `yaml`; empty without.
    let language: String
    let lines: [String]

    var text: String { lines.joined(separator: "\n") + "\n" }
  }

  /// A line after `$ ` in a console block, with the output shown below it.
  struct Command {
    let line: String
    let shown: [String]
  }

  /// From the package's folder.
  let path: String
  let lines: [String]
  let blocks: [Block]
  /// The lines outside the blocks.
  let prose: [String]

  init(_ path: String) throws {
    self.path = path
    let text = String(decoding: try Files.read("\(Program.root)/\(path)"), as: UTF8.self)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blocks: [Block] = []
    var prose: [String] = []
    var open: (language: String, lines: [String])?
    for line in lines {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(Block(language: block.language, lines: block.lines)) }
        open = open == nil ? (String(line.dropFirst(3)), []) : nil
      } else if open != nil {
        open?.lines.append(line)
      } else {
        prose.append(line)
      }
    }
    self.blocks = blocks
    self.prose = prose
  }

  /// The README first, then the manual.
  static func all() throws -> [MarkdownPage] {
    let pages = try Files.names(in: "\(Program.root)/Documentation").filter { $0.hasSuffix(".md") }.sorted()
    return try [MarkdownPage("README.md")] + pages.map { try MarkdownPage("Documentation/\($0)") }
  }

  func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }

  var commands: [Command] {
    blocks("console").flatMap { block in
      block.lines.indices.filter { block.lines[$0].hasPrefix("$ ") }.map { index in
        Command(
          line: String(block.lines[index].dropFirst(2)),
          shown: block.lines[(index + 1)...].prefix { !$0.hasPrefix("$ ") }.filter { !$0.isEmpty })
      }
    }
  }

  /// Where the page's links and pictures point to.
  var links: [String] {
    prose.flatMap { line in
      // Every second part is code.
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      let text = parts.indices.map { $0 % 2 == 0 ? parts[$0] : "" }.joined(separator: "`")
      return text.split(separator: "](", omittingEmptySubsequences: false).dropFirst().map { rest in
        String(rest.prefix { $0 != ")" && $0 != " " })
      }
    }
  }

  /// The names that links can end with, as GitHub makes them of headings.
  var anchors: Set<String> {
    Set(
      prose.filter { $0.hasPrefix("#") }.map { heading in
        String(
          heading.drop { $0 == "#" }.dropFirst().lowercased().compactMap { character in
            character == " "
              ? "-" : character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
          })
      })
  }

  /// The tables' rows of cells, without the lines below their headings.
  var rows: [[String]] {
    prose.filter { $0.hasPrefix("| ") }.map { line in
      line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
        .dropFirst().dropLast()
        .map { cell in
          let text = cell.drop { $0 == " " }
          return String(text.reversed().drop { $0 == " " }.reversed()).replacing("\u{0}", with: "|")
        }
    }
  }
}
