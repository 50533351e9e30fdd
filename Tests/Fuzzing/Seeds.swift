import AudioCapture
import Networking
import Platform
import Speakers

extension Parser {
  /// Valid inputs to start from.
  func seeds() throws -> [[UInt8]] {
    switch self {
    case .json:
      return Self.bytes([
        #"{"a":[1,-2.5e3,true,null,"\u00e9\n"],"b":{}}"#, "[[[]]]", "\"\\ud83d\\ude00\"", "1e400",
      ])
    case .intents:
      return try ["coffee", "order", "grocery", "ride"].map { try Files.read("Examples/\($0).yaml") }
    case .grammar:
      return Self.bytes([
        "#JSGF V1.0;\ngrammar g;\npublic <g> = /2/ turn (on|off) [the] <n>+ {tag};\n<n> = light*;"
      ])
    case .sentence:
      return Self.bytes([
        "set a timer for one hour and twenty five minutes", "add milk, eggs to the list", "20:15 on may 3rd",
      ])
    case .model: return [try Files.read("Models/alexa.safetensors")]
    case .voice: return [EnrolledVoice(name: "ann").encoded]
    case .wave: return [AudioFile.wave([Int16](repeating: 5, count: 40))]
    case .table: return Self.bytes(["client_id\tpath\tsentence\tlocale\na\tb.mp3\thello\ten\n"])
    case .wyoming, .transcription, .satellite:
      let events = [
        WyomingEvent("detect", [JSON.Member("names", ["computer"]), JSON.Member("context", ["id": 1])]),
        WyomingEvent("transcribe", [JSON.Member("language", "en")]), WyomingEvent("audio-start", Self.shape),
        WyomingEvent("audio-chunk", Self.shape, payload: [1, 2, 3, 4]),
        WyomingEvent("run-satellite", []), WyomingEvent("transcript", [JSON.Member("text", "lights")]),
        WyomingEvent("synthesize", [JSON.Member("text", "on")]), WyomingEvent("ping", []),
        WyomingEvent("audio-stop", []),
      ]
      return [events.flatMap { $0.encoded() }]
    case .websocket:
      return [
        [0x81, 2, 0x68, 0x69, 0x89, 0, 0x01, 1, 0x61, 0x80, 1, 0x62, 0x88, 2, 3, 0xE8, 0x82, 126, 0, 1, 9]
      ]
    case .hermes:
      return Self.bytes([
        #"a{"siteId":"default","input":"lights on"}"# + "\n" + #"c{"init":{"type":"action","text":"x"}}"#
      ])
    }
  }

  private static let shape = [
    JSON.Member("rate", 16_000), JSON.Member("width", 2), JSON.Member("channels", 1),
  ]

  private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
