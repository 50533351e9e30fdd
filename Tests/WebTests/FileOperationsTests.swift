import Glibc
import Platform
import TestServers
import Testing

@testable import Web

/// Files in the page's editors.
@Suite(.limited) struct FileOperationsTests {
  private static let path = "/api/files/configuration"
  private let page = try! TestPage(signIn: "a token of the page")

  private func text() throws -> String {
    String(decoding: try Files.read(page.configuration), as: UTF8.self)
  }

  private func save(_ text: String, hash: JSON?) -> ServedAnswer {
    let answer = page.send("PUT", Self.path, ["text": .string(text), "hash": hash ?? .null])
    return ServedAnswer(status: answer.status, json: try? answer.json)
  }

  private struct ServedAnswer {
    let status: Int
    let json: JSON?
  }

  @Test func withoutATokenOfThePageNoFileIsReadCheckedOrSaved() throws {
    let open = try TestPage()
    for (method, path) in [("GET", Self.path), ("PUT", Self.path), ("POST", "\(Self.path)/check")] {
      let answer = open.send(method, path, method == "GET" ? nil : ["text": "volume: 1\n", "hash": "x"])
      #expect(answer.status == 403)
      #expect(answer.error?.contains("--web-token") == true)
    }
    #expect(String(decoding: try Files.read(open.configuration), as: UTF8.self) == "volume: 50\n")
  }

  @Test func faultsHaveTheirPlaces() throws {
    let faults = try page.json("POST", "\(Self.path)/check", ["text": "volume: 300\n"])["faults"]?.array
    let expected: JSON = ["line": 1, "column": 9, "message": "volume takes a number from 0 to 100"]
    #expect(faults?.first == expected)
    #expect(faults?.last?["line"] == .null && faults?.count == 2)
    #expect(try page.json("POST", "\(Self.path)/check", ["text": "volume: 3\n"])["faults"] == [])
    #expect(try text() == "volume: 50\n", "a check writes nothing")
  }

  @Test func whatHasNoFaultsIsSavedAndTheOldVersionIsKept() throws {
    let file = page.configuration
    chmod(file, 0o640)
    let read = try page.json("GET", Self.path)
    #expect(read["text"] == "volume: 50\n" && read["file"]?.string == file)
    let first = save("volume: 60\n", hash: read["hash"])
    #expect(first.json?["saved"] == true)
    #expect(try text() == "volume: 60\n")
    #expect(String(decoding: try Files.read("\(file).bak"), as: UTF8.self) == "volume: 50\n")
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(save("volume: 70\n", hash: first.json?["hash"]).json?["saved"] == true)
    #expect(String(decoding: try Files.read("\(file).bak"), as: UTF8.self) == "volume: 60\n")
  }

  @Test func whatHasFaultsIsNotSaved() throws {
    let answer = save("volume: 300\n", hash: try page.json("GET", Self.path)["hash"])
    #expect(answer.json?["saved"] == false)
    #expect(answer.json?["faults"]?.array?.count == 2)
    #expect(try text() == "volume: 50\n")
    #expect(!Files.exists("\(page.configuration).bak"))
  }

  @Test func aFileThatAnotherProgramHasChangedIsNotOverwritten() throws {
    let hash = try page.json("GET", Self.path)["hash"]
    try Files.write(Array("volume: 51\n".utf8), to: page.configuration)
    let answer = save("volume: 60\n", hash: hash)
    #expect(answer.status == 409)
    #expect(try text() == "volume: 51\n")
  }

  @Test func aLinkIsFollowedAndStays() throws {
    let folder = TestPage.temporaryFolder()
    try Files.write(Array("a".utf8), to: "\(folder)/real.yaml")
    #expect(symlink("real.yaml", "\(folder)/link.yaml") == 0)
    try Files.replace("\(folder)/link.yaml", with: Array("b".utf8))
    #expect(try Files.read("\(folder)/real.yaml") == Array("b".utf8))
    var status = stat()
    #expect(lstat("\(folder)/link.yaml", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try Files.names(in: folder) == ["link.yaml", "real.yaml", "real.yaml.bak"])
  }

  @Test func onlyTheTwoFilesAreServed() {
    for name in ["passwd", "..", "config.yaml", "", "%2e%2e"] {
      #expect(page.send("GET", "/api/files/\(name)").status == 404, "\(name)")
    }
    #expect(page.send("GET", "/api/files/../../etc/passwd").status == 404)
    #expect(page.send("GET", "/api/files/intents").error?.contains("built-in intents") == true)
  }

  @Test func aTextAboveTheLimitIsRejected() {
    let long = String(repeating: "# ", count: FileOperations.limit / 2 + 1)
    #expect(page.send("POST", "\(Self.path)/check", ["text": .string(long)]).status == 400)
    let other = String(repeating: "a", count: 20_000)
    #expect(page.send("POST", "/api/understand", ["text": .string(other)]).status == 413)
  }
}
