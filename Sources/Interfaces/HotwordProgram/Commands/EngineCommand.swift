import CommandLineParsing
import Glibc
import Platform

/// `hotword engine MODEL CHUNK_BYTES`: a line with a score for each chunk of standard input.
enum EngineCommand {
  /// A minute of sound.
  private static let largestChunk = 1_920_000

  static func run(_ arguments: Arguments) throws {
    let text = arguments.operands[1]
    guard let size = Int(text), (1...largestChunk).contains(size) else {
      throw UsageFault.badValue(
        option: "CHUNK_BYTES", text: text, expected: "a whole number from 1 to \(largestChunk)",
        command: CommandTable.engine.name)
    }
    var stream = try EngineStream(arguments.operands[0])
    while true {
      let chunk = try read(size)
      if chunk.isEmpty { return }
      Output.write("\(JSON.rounded(stream.push(chunk), digits: 6))\n")
    }
  }

  /// The next `size` bytes of standard input, fewer at its end.
  private static func read(_ size: Int) throws(SystemFault) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: size)
    var filled = 0
    while filled < size {
      let count = chunk.withUnsafeMutableBytes {
        Glibc.read(STDIN_FILENO, $0.baseAddress! + filled, size - filled)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(path: "standard input", code: errno)
      }
      if count == 0 { break }
      filled += count
    }
    return Array(chunk[..<filled])
  }
}
