import Glibc
import Networking
import Platform
import TestServers
import Testing

@Suite(.limited) struct AddressTests {
  private func address(_ text: String) throws -> WebAddress {
    try WebAddress(text, schemes: ["http", "https", "ws"], expected: "http://HOST")
  }

  @Test(arguments: [
    ("http://localhost", "localhost", nil, ""), ("https://a.example:8443/v1", "a.example", 8443, "/v1"),
    ("http://[::1]:80/x?y=1", "[::1]", 80, "/x?y=1"), ("HTTP://A_b-c.d/", "A_b-c.d", nil, "/"),
  ])
  func addressesAreParsed(_ text: String, _ host: String, _ port: Int?, _ target: String) throws {
    let address = try address(text)
    #expect(address.host == host && address.port == port && address.target == target)
  }

  @Test(arguments: [
    "", "localhost", "http:/a", "ftp://a", "http://", "http://:80", "http://a:0", "http://a:65536",
    "http://a:b",
    "http://a b", "http://a\r\nX: y", "http://ä", "http://a#b", "http://a/#b", "http://a?b", "http://::1",
    "file:///etc/passwd", "http://a\\b", "http://a:80:80", "http://[::1", "http://a]:80",
  ])
  func otherAddressesAreRejected(_ text: String) {
    #expect(throws: NetworkFault.self) { try address(text) }
  }

  @Test func messagesDoNotShowPasswords() {
    #expect(throws: NetworkFault.badAddress("…@host/x", expected: "http://HOST")) {
      try address("http://me:pass@host/x")
    }
  }

  @Test func pathsAndQueriesAreAdded() throws {
    #expect(try address("http://a/v1/").appending("/x").text == "http://a/v1/x")
    #expect(
      try address("http://a").appending(query: [("q", "a b&c/ü"), ("n", "1")]).text
        == "http://a/?q=a%20b%26c%2F%C3%BC&n=1")
    #expect(try address("http://a/x?y=1").appending(query: [("q", "~")]).text == "http://a/x?y=1&q=~")
  }

  @Test func secretsAreReadFromFilesAndNotShown() throws {
    let folder = temporaryFolder()
    try Files.write(Array("s3cret\n".utf8), to: folder + "/key")
    let secret = try Secret(file: folder + "/key")
    #expect(secret.text == "s3cret")
    #expect(!"\(secret) \(String(reflecting: secret)) \([secret])".contains("s3cret"))
    #expect(secret.removed(from: "bad key s3cret!") == "bad key (secret)!")
    #expect(try Secret(file: "key", credentials: folder) == secret)
    #expect(throws: NetworkFault.noCredentials(name: "other")) {
      try Secret(file: "other", credentials: folder)
    }
    // This file is in the current folder.
    #expect(try Secret.path(of: "Package.swift", credentials: folder) == "Package.swift")
    #expect(throws: NetworkFault.noCredentials(name: "key")) { try Secret(file: "key", credentials: nil) }
    for bad in ["", "\n", "two\nlines", "bell\u{7}"] {
      try Files.write(Array(bad.utf8), to: folder + "/bad")
      #expect(throws: NetworkFault.badSecret(file: folder + "/bad")) { try Secret(file: folder + "/bad") }
    }
    #expect(throws: NetworkFault.self) { try Secret(file: folder + "/none") }
  }

  @Test func digestsMatchTheStandards() throws {
    #expect(Digest.hex(try Digest.sha1(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      Digest.hex(try Digest.sha256([]))
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    // RFC 4231, test case 2.
    let mac = try Digest.hmacSHA256(key: Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
    #expect(Digest.hex(mac) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
    let codes = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
    #expect(texts.map { Base64.encode(Array($0.utf8)) } == codes)
  }

  @Test func whatBase64EncodesItDecodesAndNothingElse() {
    let bytes = (0...255).map { UInt8($0) }
    for count in [0, 1, 2, 3, 4, 31, 32, 256] {
      #expect(Base64.decode(Base64.encode(Array(bytes.suffix(count)))) == Array(bytes.suffix(count)))
    }
    for text in ["A", "AA", "AAA", "A===", "====", "AA=A", "AA A", "AAA-", "AAA\n"] {
      #expect(Base64.decode(text) == nil, "\(text)")
    }
  }

  @Test func untrustedTextBecomesOneLine() {
    #expect(PlainText.line(" a\n\tb \u{1B}[2Jc\u{202E}d\u{0} ") == "a b [2Jcd")
    #expect(PlainText.line(String(repeating: "ü", count: 50), limit: 10).count == 10)
    #expect(PlainText.line("größer 日本 👩‍🚀") == "größer 日本 👩‍🚀")
  }
}

func temporaryFolder() -> String {
  PythonServer.temporaryFolder("network")
}
