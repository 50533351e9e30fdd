import CommandLineParsing
import Glibc
import Platform

/// `hotword engine MODEL CHUNK_BYTES`: prints a score for each chunk of standard input.
enum EngineCommand: Command {
  static let definition = CommandDefinition(
    "engine", "score raw audio chunk by chunk, as the engines of Mycroft Precise do",
    operands: .exactly(2, "MODEL CHUNK_BYTES"),
    notes: [
      """
      Reads raw 16-bit 16 kHz mono on standard input and prints a number from 0 to 1 for every CHUNK_BYTES of it. \
      0.5 is MODEL's threshold; M:0.7 shifts it. The number is the highest score of the last 0.32 s, because Precise's \
      clients wait for several chunks above the threshold. The command also runs under the name hotword-engine, for \
      programs that cannot pass a command.
      """
    ],
    examples: ["arecord -q -r 16000 -c 1 -f S16_LE -t raw | hotword engine computer 2048"])

  /// One minute of audio.
  private static let largestChunk = 1_920_000

  static func run(_ arguments: Arguments) throws {
    let text = arguments.operands[1]
    guard let size = Int(text), (1...largestChunk).contains(size) else {
      throw UsageFault.badValue(
        option: "CHUNK_BYTES", text: text, expected: "a whole number from 1 to \(largestChunk)", command: name
      )
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
