import Platform

/// Decodes events of the Wyoming protocol.
///
/// A value without I/O: bytes may arrive in pieces of any size. Invalid events and events over the limits are errors; after
/// an error every call throws the same one.
public struct WyomingDecoder: Sendable {
  /// What is wrong with the bytes.
  public enum Violation: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line is longer than ``WyomingDecoder/lineLimit``.
    case longLine
    /// A line is not a JSON object with a type, or the data block is not a JSON object.
    case notAnEvent
    /// A length is not a whole number from 0 to its limit.
    case badLength(name: String)

    public var description: String {
      switch self {
      case .longLine: "its line is longer than \(lineLimit) bytes"
      case .notAnEvent: "it is not a JSON object with a type"
      case .badLength(let name): "'\(name)' is not a number up to its limit"
      }
    }
  }

  /// The maximum size of the line of JSON in bytes.
  public static let lineLimit = 65_536
  /// The maximum size of the data block in bytes, from a server: descriptions of many models can be long.
  public static let standardDataLimit = 1 << 20
  /// The maximum size of the payload in bytes.
  public static let payloadLimit = 4 << 20

  private enum State {
    case line
    /// The line is parsed again once the event is complete: parsed data needs many times the memory of its text.
    case rest(line: [UInt8], data: Int, payload: Int)
    case broken(Violation)
  }

  private let dataLimit: Int
  private var state = State.line
  private var buffer: [UInt8] = []
  /// Where the search for the end of the line continues.
  private var searched = 0

  /// - Parameter dataLimit: the maximum size of the data block in bytes.
  public init(dataLimit: Int = standardDataLimit) { self.dataLimit = dataLimit }

  /// The bytes of an incomplete event that have arrived.
  public var heldBytes: Int {
    if case .rest(let line, _, _) = state { buffer.count + line.count } else { buffer.count }
  }

  /// Whether a part of an event has arrived.
  public var isWithinEvent: Bool {
    if case .line = state { !buffer.isEmpty } else { true }
  }

  /// Decodes the next bytes and returns the events that they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) throws(Violation) -> [WyomingEvent] {
    buffer += bytes
    var events: [WyomingEvent] = []
    var position = 0
    defer {
      if position == buffer.count, position > Self.lineLimit {
        buffer = []
      } else {
        buffer.removeFirst(position)
      }
      searched = max(0, searched - position)
    }
    do throws(Violation) {
      while try advance(&position, &events) {}
    } catch {
      state = .broken(error)
      throw error
    }
    return events
  }

  /// Decodes one line, or the data and payload after one; returns false if more bytes are needed.
  private mutating func advance(
    _ position: inout Int, _ events: inout [WyomingEvent]
  ) throws(Violation) -> Bool {
    switch state {
    case .broken(let violation): throw violation
    case .line:
      let newline = buffer[max(position, searched)...].firstIndex(of: UInt8(ascii: "\n"))
      searched = newline ?? buffer.count
      guard (newline ?? buffer.count) - position <= Self.lineLimit else { throw .longLine }
      guard let newline else { return false }
      state = try header(Array(buffer[position..<newline]))
      position = newline + 1
      searched = position
    case .rest(let line, let dataLength, let payloadLength):
      guard buffer.count - position >= dataLength + payloadLength else { return false }
      let payload = position + dataLength
      let header = JSON.object(try Self.object(line))
      let data = dataLength == 0 ? [] : try Self.object(Array(buffer[position..<payload]))
      events.append(
        WyomingEvent(
          header["type"]?.string ?? "", Self.merge(data, over: header["data"]?.members ?? []),
          payload: Array(buffer[payload..<payload + payloadLength])))
      position = payload + payloadLength
      searched = position
      state = .line
    }
    return true
  }

  private func header(_ line: [UInt8]) throws(Violation) -> State {
    let header = JSON.object(try Self.object(line))
    guard header["type"]?.string != nil else { throw .notAnEvent }
    return .rest(
      line: line,
      data: try Self.length("data_length", dataLimit, in: header),
      payload: try Self.length("payload_length", Self.payloadLimit, in: header))
  }

  private static func object(_ bytes: [UInt8]) throws(Violation) -> [JSON.Member] {
    guard let members = (try? JSON(parsing: bytes))?.members else { throw .notAnEvent }
    return members
  }

  private static func length(_ name: String, _ limit: Int, in header: JSON) throws(Violation) -> Int {
    guard let value = header[name], value != .null else { return 0 }
    guard let number = value.number, let length = Int(exactly: number), (0...limit).contains(length) else {
      throw .badLength(name: name)
    }
    return length
  }

  private static func merge(_ data: [JSON.Member], over inline: [JSON.Member]) -> [JSON.Member] {
    guard !inline.isEmpty else { return data }
    let names = Set(data.map(\.name))
    return inline.filter { !names.contains($0.name) } + data
  }
}
