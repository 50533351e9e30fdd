import Glibc
import Networking
import Platform
import TestServers

/// A Home Assistant that runs beside the tests, and what a test has added to it.
///
/// `HOTWORD_HOMEASSISTANT` is its address, `HOTWORD_HOMEASSISTANT_KEY` a file with the access token of an administrator.
final class RealHome {
  static let modules = ["websockets", "wyoming"]

  let address: String
  let keyFile: String
  private let key: String
  private var entries: [String] = []
  private var pipelines: [String] = []

  static var isNamed: Bool { variable("HOTWORD_HOMEASSISTANT") != nil }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  struct Failure: Error {
    let reason: String
  }

  init() throws {
    guard let address = Self.variable("HOTWORD_HOMEASSISTANT") else { throw Failure(reason: "not named") }
    guard let keyFile = Self.variable("HOTWORD_HOMEASSISTANT_KEY") else {
      throw Failure(reason: "HOTWORD_HOMEASSISTANT_KEY names no file with an access token")
    }
    self.address = address
    self.keyFile = keyFile
    key = String(decoding: try Files.read(keyFile).filter { $0 > 32 }, as: UTF8.self)
  }

  /// Removes what a test that was interrupted has left: a second device of a name has another identifier.
  func removeLeftovers(_ titles: [String], pipeline: String) throws {
    let found = try perform([
      ["command", ["type": "config_entries/get"]], ["command", ["type": "assist_pipeline/pipeline/list"]],
    ])
    entries = (found[0].array ?? []).filter { titles.contains($0["title"]?.string ?? "") }.compactMap {
      $0["entry_id"]?.string
    }
    pipelines = (found[1]["pipelines"]?.array ?? []).filter { $0["name"] == .string(pipeline) }.compactMap {
      $0["id"]?.string
    }
    try clear()
  }

  /// Removes what the test has added.
  func clear() throws {
    let steps = pipelines.map { id -> JSON in
      ["command", ["type": "assist_pipeline/pipeline/delete", "pipeline_id": .string(id)]]
    }
    let paths = entries.map { id -> JSON in ["delete", .string("/api/config/config_entries/entry/\(id)")] }
    _ = try perform(steps + paths)
    (pipelines, entries) = ([], [])
  }

  /// Performs steps of `home_assistant_client.py`, and returns their results.
  @discardableResult
  private func perform(_ steps: [JSON]) throws -> [JSON] {
    let python = PythonServer.python(with: Self.modules) ?? "python3"
    let words = [python, PythonServer.script("home_assistant_client.py"), address, keyFile]
    let outcome = try Program.shell(
      words.map(Program.quoted).joined(separator: " "), input: Array(JSON.array(steps).description.utf8))
    guard outcome.code == 0 else { throw Failure(reason: outcome.errors) }
    return try outcome.objects
  }

  private func result(of step: JSON) throws -> JSON { try perform([step]).last ?? .null }

  // MARK: What it has

  /// The answer to a request, nil while it does not answer.
  private func answer(to path: String) -> JSON? {
    guard let address = try? WebAddress(address + path, schemes: ["http", "https"], expected: "http://HOST")
    else { return nil }
    let request = HTTPRequest(.get, address, headers: [.init("Authorization", "Bearer \(key)")])
    guard let answer = try? HTTPClient(timeout: 10).send(request), answer.isSuccess else { return nil }
    return try? JSON(parsing: answer.body, what: path)
  }

  func state(of entity: String) -> String? { answer(to: "/api/states/\(entity)")?["state"]?.string }

  var isRunning: Bool { answer(to: "/api/config")?["state"] == "RUNNING" }

  /// The entities of an integration whose identifiers begin with one of `domains`.
  func entities(of entry: String, _ domains: String...) throws -> [String] {
    let all = try result(of: ["command", ["type": "config/entity_registry/list"]]).array ?? []
    return all.filter { $0["config_entry_id"] == .string(entry) }.compactMap { $0["entity_id"]?.string }
      .filter { entity in domains.contains { entity.hasPrefix("\($0).") } }
  }

  // MARK: What the test adds

  /// Takes the steps of an integration's form; returns the identifier of what it adds.
  private func add(_ integration: String, _ forms: [JSON]) throws -> String {
    let flow = try result(of: [
      "post", "/api/config/config_entries/flow", ["handler": .string(integration)],
    ])
    let path = "/api/config/config_entries/flow/\(flow["flow_id"]?.string ?? "")"
    let results = try perform(forms.map { ["post", .string(path), $0] })
    guard let entry = results.last?["result"]?["entry_id"]?.string else {
      throw Failure(reason: "\(integration) was not added: \(results)")
    }
    entries.append(entry)
    return entry
  }

  /// Adds a server or satellite of the Wyoming protocol on this machine.
  func addWyoming(_ port: Int) throws -> String {
    try add("wyoming", [["host": "127.0.0.1", "port": .number(Double(port))]])
  }

  /// Adds an encrypted device of ESPHome's native API on this machine.
  func addESPHome(_ port: Int, key: String) throws -> String {
    try add(
      "esphome",
      [["host": "127.0.0.1", "port": .number(Double(port))], ["noise_psk": .string(key)]])
  }

  /// Adds a light that is exposed to voice assistants; returns its identifier.
  func addLight(_ name: String) throws -> String {
    let action: JSON = [["event": "hotword_test"]]
    let entry = try add(
      "template",
      [["next_step_id": "light"], ["name": .string(name), "turn_on": action, "turn_off": action]])
    let light = try entities(of: entry, "light").first ?? ""
    try perform([
      [
        "command",
        [
          "type": "homeassistant/expose_entity", "assistants": ["conversation"],
          "entity_ids": [.string(light)], "should_expose": true,
        ],
      ]
    ])
    return light
  }

  /// Adds a voice assistant in English.
  func addPipeline(_ name: String, hearing: String, understanding: String, speaking: String) throws {
    let made = try result(of: [
      "command",
      [
        "type": "assist_pipeline/pipeline/create", "name": .string(name), "language": "en",
        "stt_engine": .string(hearing), "stt_language": "en", "conversation_engine": .string(understanding),
        "conversation_language": "en", "tts_engine": .string(speaking), "tts_language": "en",
        "tts_voice": "tone", "wake_word_entity": .null, "wake_word_id": .null,
      ],
    ])
    pipelines.append(made["id"]?.string ?? "")
  }

  /// Calls an action of Home Assistant and waits for its end.
  func call(_ action: String, _ data: JSON = .object([])) throws {
    let path = action.split(separator: ".").joined(separator: "/")
    try perform([["post", .string("/api/services/\(path)"), data]])
  }

  /// Chooses an option of each entity.
  func select(_ option: String, of entities: [String]) throws {
    for entity in entities {
      try call("select.select_option", ["entity_id": .string(entity), "option": .string(option)])
    }
  }

  /// Restarts it; what runs it must start it again.
  func restart() throws {
    try call("homeassistant.restart")
    guard Waiting.until({ !isRunning }), Waiting.until(within: 180, { isRunning }) else {
      throw Failure(reason: "Home Assistant has not restarted; run it so that its end starts it again")
    }
  }
}
