import CFuzzing
import Glibc
import Platform

// hotword-fuzz PARSER [OPTION OF LIBFUZZER…] FOLDER: gives a parser changed bytes of the files in FOLDER until it crashes.
let name = CommandLine.arguments.dropFirst().first ?? ""
guard let parser = Parser(rawValue: name) else {
  Log.error(
    "usage: hotword-fuzz PARSER [OPTION…] FOLDER, where PARSER is one of \(Parser.allCases.map(\.rawValue))")
  exit(ExitCode.usage.rawValue)
}
if CommandLine.arguments.contains("--seeds") {
  let folder = CommandLine.arguments.last ?? ""
  for (number, seed) in try parser.seeds().enumerated() {
    try Files.write(seed, to: "\(folder)/seed-\(number)")
  }
  exit(0)
}
Parser.chosen = parser
var arguments = CommandLine.unsafeArgv
arguments[1] = arguments[0]
var shifted: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments + 1
var count = CommandLine.argc - 1
exit(
  LLVMFuzzerRunDriver(&count, &shifted) { bytes, size in
    Parser.chosen.parse(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  })
