import CommandLineParsing
import HotwordProgram
import TestServers
import Testing
import Understanding

/// Every manual page of a command.
private let pages: [(name: String, text: String)] =
  [("hotword", ManualPage.overview(CommandList.definitions, version: "1.2.3"))]
  + CommandList.definitions.map { ("hotword-\($0.name)", ManualPage.text(for: $0, version: "1.2.3")) }

private let intentPage = ManualPage.text(for: .intents, version: "1.2.3")
private let allPages = pages + [("hotword-intents(5)", intentPage)]

@Suite(.limited) struct ManualPageTests {
  @Test func thePageOfTheIntentFileHasEveryKeyInItsSection() throws {
    #expect(intentPage.hasPrefix(".TH \"HOTWORD\\-INTENTS\" \"5\" \"\" \"hotword 1.2.3\" \"File Formats\"\n"))
    let sections = intentPage.split(separator: ".SH ").map(String.init)
    for keys in IntentFileKeys.all {
      let section = try #require(sections.first { $0.hasPrefix("\"\(keys.title)\"\n") }, "\(keys.title)")
      let terms = section.split(separator: ".TP\n").dropFirst().compactMap { $0.split(separator: "\n").first }
      #expect(terms.map(String.init) == keys.names.map { "\\fB\($0)\\fR" })
    }
  }

  @Test func aPageMatchesItsFixture() throws {
    let page = ManualPage.text(for: SmallTable.commands[0], version: "1.2.3")
    #expect(try page == SmallTable.fixture("hotword-mix.1"))
  }

  @Test func theOverviewListsEveryPage() {
    for command in CommandList.definitions {
      let term = "\\fBhotword\\-\(command.name.replacing("-", with: "\\-"))\\fR(1)"
      #expect(pages[0].text.contains(term))
    }
  }

  @Test func everyPageHasItsOptionsAndExamples() {
    for (command, page) in zip(CommandList.definitions, pages.dropFirst()) {
      for option in command.options {
        #expect(page.text.contains("\n\\fB\(option.name.replacing("-", with: "\\-"))\\fR"), "\(page.name)")
      }
      let shown = page.text.split(separator: ".nf\n").last?.split(separator: "\n") ?? []
      #expect(shown.count >= command.examples.count + 1, "\(page.name)")
    }
  }

  @Test func pagesAreASCII() {
    for page in allPages { #expect(page.text.utf8.allSatisfy { $0 < 128 }, "\(page.name)") }
  }

  @Test(.enabled(if: SmallTable.has("groff"), "needs groff (groff-base)"))
  func groffAcceptsEveryPage() throws {
    for page in allPages {
      let checked = try SmallTable.shell("groff -ww -man -T utf8 page >/dev/null", files: ["page": page.text])
      #expect(checked.code == 0 && checked.output.isEmpty, "\(page.name): \(checked.output)")
    }
  }

  @Test(.enabled(if: SmallTable.has("mandoc"), "needs mandoc"))
  func mandocAcceptsEveryPage() throws {
    for page in allPages {
      // A page has no date: the same sources make the same page.
      let line = "mandoc -T lint -W warning page | grep -v 'missing date'"
      let checked = try SmallTable.shell(line, files: ["page": page.text])
      #expect(checked.output.isEmpty, "\(page.name): \(checked.output)")
    }
  }

  @Test(.enabled(if: SmallTable.has("groff"), "needs groff (groff-base)"))
  func examplesArePrintedUnchanged() throws {
    for (command, page) in zip(CommandList.definitions, pages.dropFirst()) {
      let line = "groff -man -T ascii -P -c -P -b -P -u -rLL=200n page"
      let printed = try SmallTable.shell(line, files: ["page": page.text]).output
      for example in command.examples { #expect(printed.contains(example), "\(page.name)") }
    }
  }
}
