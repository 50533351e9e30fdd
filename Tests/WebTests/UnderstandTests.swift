import Configuration
import Networking
import Platform
import TestServers
import Testing

@testable import Web

/// What the page understands, where Home Assistant understands for the service.
@Suite(.limited) struct UnderstandTests {
  @Test func aServiceThatWouldCarryOutASentenceIsNotAsked() throws {
    let server = try HTTPServer([])
    var settings = ServiceSettings()
    let key = TestPage.temporaryFolder() + "/key"
    try Files.write(Array("t0ken".utf8), to: key)
    settings.understanding = "homeassistant:\(server.url),key=\(key)"
    let sentence = try JSONBody(body(["text": "turn on the kitchen light"]))
    let turn = try JSONBody(body(["conversation": "c", "text": "turn on the kitchen light"]))
    let answers = [
      try SentenceOperations().understand(sentence, settings),
      try DialogueOperations().answer(turn, settings),
    ]
    for answer in answers {
      #expect(answer["intent"]?["name"] == "TurnOn")
      #expect(answer["warning"]?.string?.contains("would carry out") == true)
    }
    #expect(server.requests.isEmpty)
  }

  private func body(_ json: JSON) -> ServedRequest {
    ServedRequest(
      "POST", "/api/understand", headers: ["content-type": "application/json"], body: Array("\(json)".utf8))
  }
}
