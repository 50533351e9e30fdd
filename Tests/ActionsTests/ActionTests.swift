import Actions
import Platform
import TestServers
import Testing

@Suite(.limited) struct ActionTests {
  private func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8), what: text) }

  @Test(arguments: [
    (#"{"type":"answer","expression":"Hi."}"#, Action.Kind.answer("Hi.")),
    (#"{"link":"https://a.b","text":"here","type":"anchor"}"#, .anchor(link: "https://a.b", text: "here")),
    (
      #"{"latitude":"52.5","longitude":13.4,"type":"map","zoom":"13"}"#,
      .map(latitude: 52.5, longitude: 13.4, zoom: 13)
    ),
    (
      #"{"count":-1,"description":"text","link":"url","title":"name","type":"rss"}"#,
      .rss(title: "name", description: "text", link: "url", count: nil)
    ),
    (
      #"{"columns":{"age":"Age","name":"Name"},"count":3,"type":"table"}"#,
      .table(columns: [.init(key: "age", title: "Age"), .init(key: "name", title: "Name")], count: 3)
    ),
    (
      #"{"key":"party","total":"100","type":"piechart","unit":"%","value":"share"}"#,
      .piechart(total: 100, key: "party", value: "share", unit: "%")
    ),
    (#"{"query":"cats","type":"websearch"}"#, .webSearch("cats")),
    (#"{"time":90,"type":"timer_set"}"#, .timerSet(seconds: 90, name: nil)),
    (#"{"name":"egg","time":"1:30","type":"timer_set"}"#, .timerSet(seconds: 90, name: "egg")),
    (#"{"hour":"1","minute":2,"second":3,"type":"timer_set"}"#, .timerSet(seconds: 3723, name: nil)),
    (#"{"type":"timer_reset"}"#, .timerReset(.latest)),
    (#"{"all":true,"type":"timer_reset"}"#, .timerReset(.all)),
    (
      #"{"identifier":"x","identifier_type":"youtube","type":"audio_play"}"#,
      .audioPlay(identifier: "x", type: "youtube")
    ),
    (#"{"identifier":"x","type":"video_play"}"#, .videoPlay(identifier: "x", type: nil)),
    (#"{"type":"audio_volume","volume":"30"}"#, .volume(30)),
    (#"{"type":"image_show","url":"https://a/b.png"}"#, .imageShow(url: "https://a/b.png")),
    (#"{"type":"stop"}"#, .control(.stop)), (#"{"type":"shuffle"}"#, .control(.shuffle)),
    (#"{"deep":{"er":[1,null]},"type":"open_door"}"#, .other(type: "open_door")),
    (#"{"type":"map","latitude":1}"#, .other(type: "map")),
    (#"{"time":"soon","type":"timer_set"}"#, .other(type: "timer_set")),
    (#"{"time":1e300,"type":"timer_set"}"#, .other(type: "timer_set")),
    (#"{"time":-1,"type":"timer_set"}"#, .other(type: "timer_set")),
    (#"{"type":"audio_volume","volume":900}"#, .other(type: "audio_volume")),
  ])
  func actionsAreParsedAndKeptUnchanged(_ text: String, _ kind: Action.Kind) throws {
    let action = try #require(Action(json: try json(text)))
    #expect(action.kind == kind)
    #expect(try action.json == json(text))
  }

  @Test func anActionWithoutItsFieldsIsIncomplete() throws {
    for text in [
      #"{"type":"answer"}"#, #"{"type":"timer_set"}"#, #"{"type":"timer_set","time":"abc"}"#,
      #"{"type":"audio_volume","volume":500}"#,
    ] {
      #expect(try #require(Action(json: try json(text))).isIncomplete, "\(text)")
    }
    for text in [#"{"type":"timer_set","time":5}"#, #"{"type":"beam"}"#, #"{"type":"stop"}"#] {
      #expect(try !#require(Action(json: try json(text))).isIncomplete, "\(text)")
    }
  }

  @Test(arguments: ["{}", "[]", "1", #"{"type":1}"#, #"{"type":""}"#])
  func withoutATypeThereIsNoAction(_ text: String) throws {
    #expect(Action(json: try json(text)) == nil)
  }

  @Test func createdActionsAreParsedBack() {
    let own: [Action] = [
      .timer(seconds: 90, name: "egg"), .timer(seconds: 0.5), .timerReset(.all), .timerReset(.latest),
      .timerReset(.named("egg")), .volume(30),
    ]
    for action in own { #expect(Action(json: action.json)?.kind == action.kind) }
  }

  @Test func anAnswerHasAReplyAndActions() throws {
    let both = try #require(
      Answer(json: try json(#"{"reply":"Done.\n","actions":[{"type":"stop"},7,{"type":"beam"}]}"#)))
    #expect(both.reply == "Done.")
    #expect(both.actions.map(\.kind) == [.control(.stop), .other(type: "beam")])
    #expect(Answer(json: try json(#"{"actions":[]}"#)) == nil)
    #expect(Answer(json: try json(#"{"actions":"stop"}"#)) == nil)
    let many = JSON.object([.init("actions", .array(Array(repeating: ["type": "stop"], count: 1_000)))])
    #expect(Answer(json: many)?.actions.count == 100)
  }

  @Test func answersOfSUSIAreParsed() throws {
    let text = #"""
      {"answers":[{"data":[{"name":"Ann","age":"30"}],
      "actions":[{"type":"answer","expression":"Here."},{"type":"table","columns":{"name":"Name"}}]}]}
      """#
    let answer = try #require(Answer(json: try json(text)))
    #expect(answer.reply == "Here.")
    #expect(answer.actions.last?.json["data"]?.array?.first?["age"] == "30")
  }

  @Test(arguments: [
    ("Done.", "Done."), (#" {"reply":"Done."} "#, "Done."), (" \n", nil), ("{}", nil),
    (#"{"reply":null,"text":"x"}"#, nil), (#"{"speech":{"text":" "}}"#, nil),
    ("a\u{1B}[2Jb\nline\u{9B} 2\r\n", "a [2Jb line 2"),
  ])
  func commandsPrintTextOrAnAnswer(_ output: String, _ reply: String?) throws {
    #expect(try Answer(output: Array(output.utf8))?.reply == reply)
  }

  @Test(
    arguments: [
      "{not json", #"{"text":"x"}"#, #"{"reply":5}"#, #"{"reply":null,"actions":{"type":"stop"}}"#, "[1]",
      String(repeating: "[", count: 100_000), #"{"reply":"x"} and more"#,
    ])
  func invalidJSONIsNotSpoken(_ output: String) {
    #expect(throws: Answer.Malformed.self) { try Answer(output: Array(output.utf8)) }
  }

  @Test func anActionKeepsNumbersBeyond64Bits() throws {
    let text = #"{"actions":[{"count":18446744073709551617,"time":1e20,"type":"x"}],"reply":"y"}"#
    let answer = try Answer(output: Array(text.utf8))
    #expect(
      answer?.actions.first?.json.description
        == #"{"count":18446744073709551617,"time":1e+20,"type":"x"}"#)
  }
}
