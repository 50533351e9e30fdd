import AudioCapture
import Detection
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
    case .settings: return try ["config", "satellite"].map { try Self.keys(of: "Packaging/\($0).yaml") }
    case .intents:
      return try ["coffee", "order", "grocery", "ride"].map { try Files.read("Examples/\($0).yaml") } + [
        Self.ranges
      ]
    case .grammar:
      return Self.bytes([
        "#JSGF V1.0;\ngrammar g;\npublic <g> = /2/ turn (on|off) [the] <n>+ {tag};\n<n> = light*;"
      ])
    case .sentence:
      return Self.bytes([
        "set a timer for one hour and twenty five minutes", "add milk, eggs to the list", "20:15 on may 3rd",
      ])
    case .model: return try [false, true].map { try Self.model(hasEncoder: $0).encoded }
    case .voice: return [Self.enrolled.encoded, EnrolledVoice(name: "ann").encoded]
    case .wave: return Self.audio
    case .table: return Self.bytes(["client_id\tpath\tsentence\tlocale\na\tb.mp3\thello\ten\n"])
    case .wyoming, .transcription, .satellite:
      let events = [
        WyomingEvent("detect", [JSON.Member("names", ["computer"]), JSON.Member("context", ["id": 1])]),
        WyomingEvent("transcribe", [JSON.Member("language", "en")]), WyomingEvent("audio-start", Self.shape),
        WyomingEvent("audio-chunk", Self.shape, payload: [1, 2, 3, 4]),
        WyomingEvent("run-satellite", []), WyomingEvent("transcript", [JSON.Member("text", "lights")]),
        WyomingEvent("synthesize", [JSON.Member("text", "on")]), WyomingEvent("ping", []),
        WyomingEvent("audio-stop", []), WyomingEvent("describe", []), WyomingEvent("voice-stopped", []),
        WyomingEvent("error", [JSON.Member("text", "no")]), WyomingEvent("pause-satellite", []),
      ]
      let timer = WyomingEvent("timer-finished", [JSON.Member("id", "a"), JSON.Member("total_seconds", 5)])
      let hand = ["run-satellite", "pressed", "muted", "unmuted", "continued", "run-end", "pong", "silenced"]
      let sound = [UInt8](repeating: 9, count: 3_000)
      let shapes = [(8_000.0, 1.0, 1.0), (16_000, 2, 1), (44_100, 3, 2), (48_000, 4, 6)].map {
        rate, width, channels in
        let shape = [JSON.Member("rate", .number(rate)), JSON.Member("width", .number(width))]
        return WyomingEvent(
          "audio-chunk", shape + [JSON.Member("channels", .number(channels))], payload: sound)
      }
      let stop = WyomingEvent("audio-stop", [])
      return [events, hand.map { WyomingEvent($0, []) } + [timer], shapes + [stop]].map {
        $0.flatMap { $0.encoded() }
      }
    case .websocket:
      return [
        [0x81, 2, 0x68, 0x69, 0x89, 0, 0x01, 1, 0x61, 0x80, 1, 0x62, 0x88, 2, 3, 0xE8, 0x82, 126, 0, 1, 9]
      ]
    case .answers:
      let folder = "Tests/RemoteServicesTests/Fixtures/answers"
      let heard =
        #"{"alternatives":[{"text":"a b","confidence":9,"result":[{"word":"a","start":0,"end":1,"conf":0.5}]},{"text":"c"}]}"#
      let said =
        #"{"reply":"on","actions":[{"type":"timer_set","time":60},{"type":"audio_volume","volume":5}]}"#
      return try Files.names(in: folder).sorted().map { try Files.read("\(folder)/\($0)") }
        + Self.bytes([heard, said, #"{"partial":"a"}"#, #"{"text":"a b","result":[]}"#])
    case .home:
      return Self.bytes([
        #"{"floors":[{"name":"Attic"}],"areas":[{"area_id":"a","name":"Hall","aliases":["corridor"]}],"#
          + #""states":[{"entity_id":"light.a","attributes":{"friendly_name":"Lamp (left)"}}],"#
          + #""exposed":{"exposed_entities":{"light.a":{"conversation":true}}},"entries":{"light.a":{"aliases":["b",null]}},"#
          + #""registered":[{"entity_id":"assist_satellite.box","device_id":"d"}],"devices":[{"id":"d","area_id":"a"}]}"#
      ])
    case .hermes: return Self.messages
    case .upgrade:
      // The digest of the key of 0…15 and RFC 6455's text.
      return Self.bytes([
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
          + "Sec-WebSocket-Accept: Bz3qJYTGdOe8gUSpLosEdiLKDrk=\r\n\r\nrest",
        "HTTP/1.1 404 Not Found\r\n\r\n",
      ])
    case .esphome: return Self.frames
    case .device: return [Self.frames.flatMap { $0 }]
    case .web: return try Self.requests()
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

  /// The keys of a shipped configuration file with their values, also those that are comments there.
  private static func keys(of file: String) throws -> [UInt8] {
    let lines = String(decoding: try Files.read(file), as: UTF8.self).split(separator: "\n")
    let settings = lines.compactMap { line -> Substring? in
      guard line.hasPrefix("# ") else { return line.hasPrefix("#") ? nil : line }
      let key = line.dropFirst(2).prefix { $0 == "-" || $0.isLowercase }
      return line.dropFirst(2 + key.count).hasPrefix(": ") ? line.dropFirst(2) : nil
    }
    return Array(settings.joined(separator: "\n").utf8)
  }

  /// An intent file of numbers: the widest ranges, numerals, signs and units.
  private static let ranges = Array(
    """
    language: en
    intents:
      Set:
        data:
          - sentences: ["set {1..1000000000,999999999:a}", "go {-1000000000..-1:b}"]
          - sentences: ["[at] {n} percent", "channel 12 [or 五百六]", "{h} {p} 50% -3.5°", "7:30 24/7 {t} {m:c}"]
            lists: {n: {range: {from: -30, to: 30, step: 10, fractions: halves}}}
        slots: {n: {from: 1, to: 20, required: true, prompt: "Which?", unsupported: "No."}}
    lists:
      h: {range: {from: 0, to: 1000000000, multiplier: -1e9, type: temperature}}
      p: {range: {from: 0, to: 100, type: percentage, fractions: tenths}}
      t: {values: [{in: "(one|1) a", out: 1}, {in: "room 12a", out: {x: [1]}}]}
      m: {type: money}
    """.utf8)

  /// WAV of 16 bits, RF64 and AIFF of 20 samples, and the last page of an Ogg file.
  private static let audio: [[UInt8]] = {
    let wave = AudioFile.wave([Int16](repeating: 5, count: 20))
    let sizes: [UInt8] = [
      68, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    let unknown = [UInt8](repeating: 0xFF, count: 4)
    let long =
      Array("RF64".utf8) + unknown + "WAVEds64".utf8 + [28, 0, 0, 0] + sizes + wave[12..<40] + unknown
      + wave[44...]
    let common: [UInt8] = [0, 0, 0, 18, 0, 1, 0, 0, 0, 20, 0, 16, 0x40, 0x0C, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    let aiff =
      Array("FORM".utf8) + [0, 0, 0, 86] + "AIFFCOMM".utf8 + common + "SSND".utf8 + [0, 0, 0, 48]
      + [UInt8](repeating: 0, count: 48)
    let page = Array("OggS".utf8) + [0, 4] + [UInt8](repeating: 0, count: 20) + [1, 2, 9, 9]
    return [wave, long, aiff, page]
  }()

  /// A model of every part whose size is free.
  static func model(hasEncoder: Bool) throws -> HotwordModel {
    let outputs = 4
    let features = FeatureSettings.standard
    let encoder = try NetworkShape(
      inputs: features.coefficients, channels: 2, kernel: 3, dilations: [1], outputs: outputs)
    let network = try NetworkShape(
      inputs: hasEncoder ? outputs : features.coefficients, channels: 2, kernel: 3, dilations: [1])
    return try HotwordModel(
      name: "word", phrase: "word", frontEnd: .standard, features: features,
      encoder: hasEncoder ? NetworkWeights(zero: encoder) : nil,
      sounds: hasEncoder ? SoundScores(offsets: [0, -1, -2, -3]) : nil,
      networks: [NetworkWeights(zero: network)],
      path: hasEncoder ? PhrasePathSettings(pronunciations: [[1, 2, 3]]) : nil,
      lastSounds: hasEncoder ? LastSounds(outputs: [1, 3], lookAhead: 0.08) : nil,
      decision: DecisionSettings(threshold: 0.4),
      curve: OperatingCurve(points: [.init(threshold: 0.1, falseAlarmsPerHour: 2, missRate: 0.01)]))
  }

  /// A voice with prints of the shortest length.
  private static let enrolled: EnrolledVoice = {
    let spectra = [Float](repeating: -1, count: VoicePrint.lengths.lowerBound * VoicePrint.bands)
    let prints = VoicePrint(spectra: spectra).map { [$0] } ?? []
    var voice = EnrolledVoice(name: "ann")
    voice.enroll(prints, orders: prints, keyword: "alexa")
    return voice
  }()

  /// A request of each kind to the page.
  private static func requests() throws -> [[UInt8]] {
    let (clip, word) = (WebRequests.clip, WebRequests.word)
    let take = "\(WebRequests.take)/audio?phrase=\(word)"
    let hash = Digest.hex(try Digest.sha256(WebRequests.settings))
    let texts = [
      "GET /api/clips?label=none&kind=wake&count=5&before=\(clip)\n", "GET /api/clips/\(clip)/audio\n",
      "PUT /api/clips/\(clip)/label\n\n{\"label\":\"false-alarm\"}", "DELETE /api/clips/\(clip)\n",
      "POST /api/understand\n\n{\"text\":\"turn on the hall light\"}", "GET /api/clips/../secret/audio\n",
      "POST /api/dialogue\n\n{\"conversation\":\"a\",\"text\":\"light\"}",
      "POST /api/sensitivity\nOrigin: http://localhost:80\nSec-Fetch-Site: same-origin\n\n{\"model\":\"a\",\"sensitivity\":0.5}",
      "HEAD /\nHost: [::1]\n", "GET /api/state\nX-Hotword-Token: x\n", "POST /api/doctor\n\n{}",
      "GET /api/session\nAuthorization: Bearer \(WebRequests.token)\nCookie: \n",
      "POST /api/sign-in\nCookie: \n\n{\"token\":\"\(WebRequests.token)\"}",
      "GET /api/log?level=note&count=3\n",
      "GET /api/files/configuration\n", "POST /api/files/intents/check\n\n{\"text\":\"language: en\\n\"}",
      "PUT /api/files/configuration\n\n{\"hash\":\"\(hash)\",\"text\":\"pace: true\\n\"}",
      "POST /api/phrases\n\n{\"phrase\":\"hey\",\"language\":\"de\",\"pronunciations\":[\"heI\"]}",
      "POST /api/say\n\n{\"phrase\":\"hey\",\"voice\":\"espeak:en\"}", "GET /api/work\n",
      "DELETE /api/work\n",
      "GET /api/phrases\n", "GET /api/phrases/\(word)\n", "DELETE /api/phrases/\(word)\n",
      "POST /api/phrases/\(word)/record\n\n{\"speaker\":\"ann\"}", "GET /api/takes/\(take)\n",
      "DELETE /api/takes/\(WebRequests.take)?phrase=\(word)\n",
      "POST /api/phrases/\(word)/train\n\n{\"steps\":10}",
      "POST /api/phrases/\(word)/enroll\n\n{\"speaker\":\"ann\"}",
      "GET /api/models\n", "GET /api/models/\(word)\n", "POST /api/models/\(word)/improve\n\n{\"steps\":20}",
      "POST /api/models/\(word)/use\n\n{}", "DELETE /api/models/\(word)/candidate\n",
      "POST /api/models/\(word)/restore\n\n{}", "DELETE /api/models/\(word)/installed\n",
      "POST /api/models/\(word)/listen\n\n{\"version\":\"candidate\"}",
    ]
    let sound = AudioFile.wave([Int16](repeating: 5, count: 2_000))
    let recordings = [
      "phrases/\(word)/takes?speaker=ann", "models/\(word)/score?version=installed&sensitivity=0.4",
    ].map { Array("POST /api/\($0)\nContent-Type: audio/wav\n\n".utf8) + sound }
    return bytes(texts) + recordings
  }

  /// Messages of Hermes with the index of their topic, and events of the assistant between them.
  private static let messages: [[UInt8]] = {
    let texts = [
      #"\#u{1}{"siteId":"default","reason":"tts"}"#, #"\#u{0}{"siteId":"default","reason":""}"#,
      #"\#u{2}{"id":"1"}"#,
      #"\#u{4}{}"#, #"\#u{5}{"stopOnSilence":false,"sessionId":"a","wakewordId":"b"}"#, #"\#u{3}{}"#,
      #"\#u{6}{"sessionId":"a"}"#,
      #"\#u{7}{"input":"{\"status\":\"ready\",\"intent\":{\"name\":\"a\"}}","intentFilter":["a"],"customData":[1]}"#,
      #"\#u{8}{"init":{"type":"action","text":"x","canBeEnqueued":true},"customData":"d"}"#,
      #"\#u{8}{"init":{"type":"notification","text":"x"}}"#, #"\#u{9}{"sessionId":"$","text":"more"}"#,
      #"\#u{B}{}"#, #"\#u{16}{"sessionId":"$","text":"done"}"#,
    ].map { Array($0.utf8) }
    let transcript: [UInt8] =
      [130] + #"{"text":"a b","segments":[{"text":"a","start":0.1,"end":0.2,"confidence":0.5}]}"#.utf8
    let intent: [UInt8] =
      [134]
      + #"{"status":"ready","text":"a","intent":{"name":"a"},"slots":{"b":{"value":5,"text":"5","range":[0,1]}}}"#
      .utf8
    let sound = [11] + AudioFile.wave([Int16](repeating: 5, count: 40))
    // A wake, what was said, its meaning, the end; then a skill that goes on, and one that ends the session.
    let dialogue = [[128], [132], transcript, intent, [129], texts[10], [129], texts[12], [129], [131]]
    return texts + [Array(dialogue.joined(separator: [10])), texts[4] + [10, 129], [131], sound]
  }()

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
