import Networking
import TestServers
import Testing

@Suite(.limited) struct ListenAddressTests {
  @Test(arguments: [
    ("tcp://0.0.0.0:10400", ListenAddress.host("0.0.0.0", port: 10_400)),
    ("tcp://[::1]:0", .host("::1", port: 0)), ("tcp://localhost:80/", .host("localhost", port: 80)),
    ("unix:///run/wake", .socket(path: "/run/wake")), ("stdio://", .standardStreams),
  ])
  func addressesAreParsed(_ text: String, _ address: ListenAddress) throws {
    #expect(try ListenAddress(text) == address)
  }

  @Test(arguments: [
    "", "tcp://host", "tcp://:80", "tcp://::1:80", "tcp://a:70000", "tcp://a:-1", "http://a:80", "unix://a",
    "unix:///", "tcp://a b:80", "tcp://me@a:80", "stdio", "a:80",
  ])
  func otherAddressesAreRejected(_ text: String) {
    #expect(throws: NetworkFault.badAddress(text, expected: ListenAddress.expected)) {
      try ListenAddress(text)
    }
  }
}
