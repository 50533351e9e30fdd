import AudioCapture
import Configuration
import Detection
import Glibc
import Networking
import PCM
import Platform
import TestServers
import Testing

@testable import Web

/// A page that teaches, with folders of its own. A shell script is in place of `hotword` and `hotword-train`: it prints what
/// they print, and `train` waits until ``finish()`` and then writes a copy of a shipped model.
struct TeachPage {
  static let shipped = String(
    #filePath.dropLast("/Tests/WebTests/TeachPage.swift".count) + "/Models/computer.safetensors")

  let page: TestPage
  let folder: String
  let listened: JobQueue<String>

  private static let script = """
    #!/bin/sh
    command=$1; shift
    for word in "$@"; do
      case $word in --output=*) output=${word#--output=};; esac
      phrase=$word
    done
    echo "$command $*" >> FOLDER/calls
    case $command in
      phrase)
        if [ "$phrase" = "?" ]; then echo "hotword: the phrase is empty" >&2; exit 64; fi
        name=$(echo "$phrase" | tr 'A-Z ' 'a-z_')
        printf '{"name":"%s","pronunciations":["HH AY"],"guessed":[],"warnings":["short"],"voices":["flite slt"]}\\n' "$name";;
      say) cat FOLDER/speech.wav;;
      train)
        echo '{"activity":"training: the model","part":0.5,"secondsLeft":60,"loss":0.25}' >&2
        while [ ! -e FOLDER/finish ]; do sleep 0.02; done
        if [ -e FOLDER/fail ]; then echo "hotword: no clip is labelled" >&2; exit 65; fi
        cp MODEL "$output"; echo '{"phrase":"computer"}';;
      record) echo "hotword: 1 of 1: say it" >&2; echo '{"recorded":1}';;
      enroll) echo '{"name":"ann","clips":3}';;
    esac

    """

  init(listens: Bool = true) throws {
    folder = TestPage.temporaryFolder()
    let script = Self.script.replacing("FOLDER", with: folder).replacing("MODEL", with: Self.shipped)
    try Files.write(Array(script.utf8), to: "\(folder)/program", mode: 0o700)
    try Files.write(AudioFile.wave([Int16](repeating: 3, count: 1_600)), to: "\(folder)/speech.wav")
    let queue = JobQueue<String>()
    listened = queue
    let listen: (@Sendable (String) -> Void)? = listens ? { @Sendable path in queue.append(path) } : nil
    let store = ModelStore(folders: ["\(folder)/models", "\(folder)/shipped"])
    let teaching = TeachProgram(
      program: "\(folder)/program", training: "\(folder)/program", folder: "\(folder)/phrases",
      store: store, modelFolder: "\(folder)/models", listen: listen)
    page = try TestPage(teaching: teaching)
  }

  /// Lets `train` come to its end.
  func finish() throws { try Files.write([], to: "\(folder)/finish") }

  /// The command lines of the programs so far.
  var calls: [String] {
    let bytes = (try? Files.read("\(folder)/calls")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The background work, once its state is `state`.
  func work(until state: String) throws -> JSON {
    // Requests are limited, so the state is observed without them.
    let isReached = Waiting.until { page.operations.teaching?.work.state?.phase.rawValue == state }
    let work = try #require(try page.json("GET", "/api/work")["work"])
    #expect(isReached, "\(work)")
    return work
  }

  /// Installs the shipped model under a name; in the folder of shipped models, or the user's.
  func install(_ name: String, isOwn: Bool = true) throws {
    let folder = "\(folder)/\(isOwn ? "models" : "shipped")"
    try Files.createFolder(folder)
    try Files.write(Files.read(Self.shipped), to: "\(folder)/\(name).safetensors")
  }

  /// Adds a phrase.
  func add(_ phrase: String) throws -> JSON {
    try page.json("POST", "/api/phrases", ["phrase": .string(phrase)])
  }

  /// Sends a recording.
  func send(_ path: String, query: [String: String], _ samples: [Int16]) -> ServedResponse {
    send(path, query: query, bytes: AudioFile.wave(samples))
  }

  func send(
    _ path: String, query: [String: String], bytes: [UInt8], type: String = "audio/wav"
  ) -> ServedResponse {
    let headers = [
      "host": "127.0.0.1:10480", "x-hotword-token": TestPage.token, "content-type": type,
    ]
    return page.operations.response(
      to: ServedRequest("POST", path, query: query, headers: headers, body: bytes))
  }

  /// A tone of 0.6 s between silence of low noise: what passes for a spoken phrase.
  static let speech: [Int16] = (0..<32_000).map { index in
    let isSpoken = (9_600..<19_200).contains(index)
    let noise = Float((index &* 7_919) % 21 - 10)
    return Int16((isSpoken ? 6_000 * sinf(Float(index) * 0.3) : 0) + noise)
  }
}
