import FrontEnd
import Platform
import TestServers
import Testing

@Suite(.limited) struct FrontEndSettingsTests {
  @Test(arguments: FrontEndTests.everyCombination + [FrontEndSettings(echoDelay: 250)])
  func areEqualAfterEncodingAndDecoding(settings: FrontEndSettings) throws {
    let text = Array(settings.json.description.utf8)
    #expect(try FrontEndSettings(json: JSON(parsing: text, what: "settings")) == settings)
  }

  private func replacing(_ name: String, with value: JSON?) -> JSON {
    let members = FrontEndSettings.standard.json.members ?? []
    return .object(
      members.compactMap { member in
        guard member.name == name else { return member }
        return value.map { JSON.Member(name, $0) }
      })
  }

  @Test func everyMemberIsRequired() throws {
    for member in FrontEndSettings.standard.json.members ?? [] {
      #expect(throws: FrontEndFault.missing(setting: member.name)) {
        try FrontEndSettings(json: replacing(member.name, with: nil))
      }
    }
  }

  @Test func unknownAndRepeatedMembersAreRefused() throws {
    let members = FrontEndSettings.standard.json.members ?? []
    #expect(throws: FrontEndFault.unknown(setting: "reverb")) {
      try FrontEndSettings(json: .object(members + [JSON.Member("reverb", true)]))
    }
    #expect(throws: FrontEndFault.unknown(setting: "highPass")) {
      try FrontEndSettings(json: .object(members + [JSON.Member("highPass", true)]))
    }
    #expect(throws: FrontEndFault.notAnObject) { try FrontEndSettings(json: [1, 2]) }
  }

  @Test func errorsNameWrongValues() throws {
    #expect(
      throws: FrontEndFault.invalid(setting: "highPass", value: "1", expected: "true or false")
    ) { try FrontEndSettings(json: replacing("highPass", with: 1)) }
    #expect(
      throws: FrontEndFault.invalid(
        setting: "noiseSuppression", value: "\"huge\"",
        expected: "one of off, low, moderate, high, veryHigh")
    ) { try FrontEndSettings(json: replacing("noiseSuppression", with: "huge")) }
    for delay: JSON in [-1, 501, 2.5, 1e300, "10", nil] {
      #expect(throws: FrontEndFault.self) { try FrontEndSettings(json: replacing("echoDelay", with: delay)) }
    }
    #expect(throws: FrontEndFault.self) { try FrontEnd(FrontEndSettings(echoDelay: 900)) }
  }
}
