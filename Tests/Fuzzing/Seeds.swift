import AudioCapture
import ESPHomeServer
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
    case .upgrade:
      // The digest of the key of 0…15 and RFC 6455's text.
      return Self.bytes([
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
          + "Sec-WebSocket-Accept: Bz3qJYTGdOe8gUSpLosEdiLKDrk=\r\n\r\nrest",
        "HTTP/1.1 404 Not Found\r\n\r\n",
      ])
    case .esphome: return Self.frames
    case .device: return [Self.frames.flatMap { $0 }]
    case .web:
      let clip = "20261125T120000.000Z_computer_wake_0.900.wav"
      return Self.bytes([
        "GET /api/clips?label=none&kind=wake&count=5&before=\(clip)\n", "GET /api/clips/\(clip)/audio\n",
        "PUT /api/clips/\(clip)/label\n\n{\"label\":\"false-alarm\"}", "DELETE /api/clips/\(clip)\n",
        "POST /api/understand\n\n{\"text\":\"turn on the light\"}", "GET /api/clips/../secret/audio\n",
        "POST /api/sensitivity\nOrigin: http://localhost:80\nSec-Fetch-Site: same-origin\n\n{\"model\":\"a\",\"sensitivity\":0.5}",
        "HEAD /\nHost: [::1]\n", "GET /api/state\nX-Hotword-Token: x\n", "POST /api/doctor\n\n{}",
      ])
    case .address:
      return Self.bytes([
        "127.0.0.1:9464", "[::1]:80", "tcp://[fd00::1]:10400/", "unix:///run/hotword/wake.sock", "stdio://",
        "localhost.",
        "192.168.1.0/24", "http://user:pw@host:80/path?query#part", "hall.local:10200", "::ffff:10.0.0.1",
      ])
    case .noise:
      // Without the library, the parser could not pass the handshake.
      try Sodium.load()
      return [Self.handshake]
    }
  }

  /// Frames of Home Assistant: a hello, then each message that has fields.
  private static let frames: [[UInt8]] = {
    let text: [UInt8] = [0x0A, 4, 0x68, 0x6F, 0x6D, 0x65]
    let number: [UInt8] = [0x0D, 1, 0, 0, 0]
    let bodies: [(type: UInt8, body: [UInt8])] = [
      (33, number + [0x10, 1]), (51, number + [0x15, 0, 0, 0x40, 0x3F]),
      (65, number + [0x20, 1, 0x2D, 0, 0, 0, 0x3F, 0x30, 1, 0x3A, 1, 0x61, 0x40, 1, 0x48, 1]),
      (89, [0x08, 1]), (91, [0x10, 1]), (92, [0x08, 4, 0x12, 6, 0x0A, 1, 0x61, 0x12, 1, 0x62]),
      (106, [0x0A, 2, 1, 2]), (115, [0x08, 3, 0x12, 1, 0x61, 0x20, 0x3C]), (119, text + [0x20, 1]),
      (123, text),
    ]
    let hello: [UInt8] = [0, UInt8(text.count), 1] + text
    return bodies.map { message in
      let header: [UInt8] = [0, UInt8(message.body.count), message.type]
      return hello + header + message.body
    }
  }()

  /// The hello of a client and its handshake with the key of the parser.
  private static let handshake: [UInt8] = {
    let message: [UInt8] = [
      0xA4, 0xE0, 0x92, 0x92, 0xB6, 0x51, 0xC2, 0x78, 0xB9, 0x77, 0x2C, 0x56, 0x9F, 0x5F, 0xA9, 0xBB,
      0x13, 0xD9, 0x06, 0xB4, 0x6A, 0xB6, 0x8C, 0x9D, 0xF9, 0xDC, 0x2B, 0x44, 0x09, 0xF8, 0xA2, 0x09,
      0xF0, 0xC0, 0x0E, 0x96, 0x45, 0x84, 0x73, 0x00, 0x64, 0x79, 0xA4, 0xA6, 0xD2, 0xF4, 0xC0, 0xB6,
    ]
    let start: [UInt8] = [1, 0, 0, 1, 0, UInt8(message.count + 1), 0]
    let ping: [UInt8] = [1, 0, 4, 0, 7, 0, 0]
    return start + message + ping
  }()

  private static let shape = [
    JSON.Member("rate", 16_000), JSON.Member("width", 2), JSON.Member("channels", 1),
  ]

  private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
