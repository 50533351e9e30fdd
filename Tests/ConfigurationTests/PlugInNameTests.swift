import Configuration
import TestServers
import Testing

@Suite(.limited) struct PlugInNameTests {
  @Test func namesAreTakenApart() throws {
    let plain = try PlugInName("pocketsphinx")
    #expect(plain.kind == "pocketsphinx" && plain.address.isEmpty)
    let vosk = try PlugInName("vosk:ws://host:2700,ca=/etc/ca.pem")
    #expect(vosk.kind == "vosk" && vosk.address == "ws://host:2700" && vosk["ca"] == "/etc/ca.pem")
    let hook = try PlugInName("https://host/a:b?c=d,key=k,timeout=2.5")
    #expect(hook.kind == "https" && hook.address == "https://host/a:b?c=d" && hook["key"] == "k")
    #expect(try hook.seconds("timeout", in: 1...10) == 2.5)
    #expect(try hook.seconds("pause", in: 1...10) == nil)
  }

  @Test(arguments: ["a:b,c", "a:b,=c", "a:b,", "a:b,c=1,c=2"])
  func whatIsNoOptionIsRefused(_ text: String) {
    #expect(throws: PlugInFault.self) { try PlugInName(text) }
  }

  @Test func optionsAreChecked() throws {
    let name = try PlugInName("a:b,c=99,d=x")
    try name.check(options: ["c", "d"])
    #expect(throws: PlugInFault.unknownOption("d", plugIn: "a", known: ["c"])) {
      try name.check(options: ["c"])
    }
    #expect(try name.required("d") == "x")
    #expect(throws: PlugInFault.missingOption("e", plugIn: "a")) { try name.required("e") }
    #expect(try name.either("c", or: "e") == "99" && name.either("e", or: "d") == "x")
    #expect(throws: PlugInFault.oneOfTwo("c", "d", plugIn: "a")) { try name.either("c", or: "d") }
    #expect(try name.whole("c", in: 0...99) == 99)
    #expect(try name.whole("e", in: 0...99) == nil)
    for option in ["c", "d"] {
      #expect(throws: PlugInFault.badNumber(option: option, plugIn: "a", range: 0...98)) {
        try name.whole(option, in: 0...98)
      }
    }
    for option in ["c", "d"] {
      #expect(throws: PlugInFault.badSeconds(option: option, plugIn: "a", range: 1...10)) {
        try name.seconds(option, in: 1...10)
      }
    }
  }
}
