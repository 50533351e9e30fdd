import Networking
import TestServers
import Testing

@testable import Web

/// The files of the page.
@Suite(.limited) struct PageFilesTests {
  private static func text(_ path: String) -> String {
    String(decoding: PageFiles.all[path] ?? [], as: UTF8.self)
  }

  @Test func allOfThePageIsBelow150Kilobytes() {
    let size = PageFiles.all.values.map(\.count).reduce(0, +)
    #expect(size > 10_000 && size < 150_000)
  }

  @Test func thePageNamesNoOtherSiteAndHasNoInlineScriptOrStyle() {
    for path in PageFiles.all.keys {
      let text = Self.text(path).replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains("http://") && !text.contains("https://") && !text.contains("//cdn"), "\(path)")
    }
    let page = Self.text("/")
    #expect(page.firstMatch(of: /<script(?![^>]* src=)|<style| style=| on[a-z]+=/) == nil)
  }

  @Test func whatThePageLoadsIsThere() {
    for (path, bytes) in PageFiles.all {
      let text = String(decoding: bytes, as: UTF8.self)
      for match in text.matches(of: /(?:from|href=|src=) ?"(\/[a-z.]+)"/) {
        #expect(PageFiles.all[String(match.1)] != nil, "\(path): \(match.1)")
      }
    }
    #expect(PageFiles.response("/app.js")?.header("Content-Type") == "text/javascript; charset=utf-8")
    #expect(PageFiles.response("/openapi.json") == nil)
  }

  @Test func everyElementThatAScriptUsesIsInThePage() {
    let ids = Set(Self.text("/").matches(of: /\sid="([a-z-]+)"/).map { String($0.1) })
    for path in PageFiles.all.keys where path.hasSuffix(".js") {
      for match in Self.text(path).matches(of: /(?:find|getElementById)\("([a-z-]+)"\)/) {
        #expect(ids.contains(String(match.1)), "\(path): \(match.1)")
      }
    }
  }
}
