import Networking
import Platform
import Synchronization

/// The configuration file and the intent file: read, check and save.
final class FileOperations: Sendable {
  /// Bytes of a file.
  static let limit = 512 << 10

  private let program: WebProgram
  /// Held while a file is compared and written.
  private let writing = Mutex(())

  init(_ program: WebProgram) { self.program = program }

  /// The files that there are.
  var names: [String] {
    (program.configuration() == nil ? [] : ["configuration"]) + (program.intents() == nil ? [] : ["intents"])
  }

  /// The contents of a file, with the hash that a change of it names.
  func read(_ name: String) throws(WebFault) -> JSON {
    let file = try file(name)
    let bytes = try bytes(of: file)
    return [
      "file": .string(file.path), "text": .string(String(decoding: bytes, as: UTF8.self)),
      "hash": .string(try Self.hash(bytes)),
    ]
  }

  /// The faults of the text in the body.
  func check(_ name: String, _ body: JSONBody) throws(WebFault) -> JSON {
    let file = try file(name)
    return ["faults": .array(Self.faults(of: try Self.text(body), file))]
  }

  /// Saves the text in the body, if it has no faults and the file is still the one with the `hash` of the body.
  func save(_ name: String, _ body: JSONBody) throws(WebFault) -> JSON {
    let file = try file(name)
    let text = try Self.text(body)
    let known = try body.text("hash", limit: 64)
    let faults = Self.faults(of: text, file)
    let result = writing.withLock { _ -> Result<String, WebFault> in
      do throws(WebFault) {
        let old = try Self.hash(try bytes(of: file))
        guard old == known else { throw .changedMeanwhile(file.path) }
        guard faults.isEmpty else { return .success(old) }
        try WebOperations.run { try Files.replace(file.path, with: text) }
        Log.note("\(file.path): changed on the page for browsers; the old version is \(file.path).bak")
        return .success(try Self.hash(text))
      } catch {
        return .failure(error)
      }
    }
    return [
      "saved": .bool(faults.isEmpty), "hash": .string(try result.get()), "faults": .array(faults),
    ]
  }

  private func file(_ name: String) throws(WebFault) -> EditedFile {
    let file =
      switch name {
      case "configuration": program.configuration()
      case "intents": program.intents()
      default: throw .notFound
      }
    guard let file else { throw .noFile(name) }
    return file
  }

  private func bytes(of file: EditedFile) throws(WebFault) -> [UInt8] {
    try WebOperations.run { try Files.read(file.path, limit: Self.limit) }
  }

  private static func text(_ body: JSONBody) throws(WebFault) -> [UInt8] {
    guard let text = body["text"]?.string, text.utf8.count <= limit else {
      throw .badField("text", expected: "a text of up to \(limit) bytes")
    }
    return Array(text.utf8)
  }

  private static func hash(_ bytes: [UInt8]) throws(WebFault) -> String {
    Digest.hex(try WebOperations.run { try Digest.sha256(bytes) })
  }

  /// The faults with their places; those that are not in the file have none.
  private static func faults(of text: [UInt8], _ file: EditedFile) -> [JSON] {
    file.check(text).map { fault in
      let place = FaultPlace(fault.message, in: file.path)
      return [
        "line": place.map { .number(Double($0.line)) } ?? .null,
        "column": place.map { .number(Double($0.column)) } ?? .null,
        "message": .string(place?.rest ?? fault.message),
      ]
    }
  }
}

/// The place at the beginning of a message, `FILE:LINE:COLUMN: MESSAGE`.
struct FaultPlace: Equatable {
  /// Both from 1.
  let line: Int
  let column: Int
  let rest: String

  /// nil for a message about something else.
  init?(_ message: String, in file: String) {
    guard message.hasPrefix("\(file):") else { return nil }
    let parts = message.dropFirst(file.count + 1).split(separator: ":", maxSplits: 2)
    guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]) else { return nil }
    self.line = line
    self.column = column
    rest = String(parts[2].drop { $0 == " " })
  }
}
