import CFuzzing
import Glibc
import Platform

// FUZZED=PARSER hotword-fuzz [OPTION OF LIBFUZZER…] FOLDER: gives a parser changed bytes of the files in FOLDER until it crashes.
// The parser is a variable of the environment because libFuzzer starts the program again with options of its own.
let name = UserFolders.variable("FUZZED") ?? ""
guard let parser = Parser(rawValue: name) else {
  Log.error(
    "usage: FUZZED=PARSER hotword-fuzz [OPTION…] FOLDER, where PARSER is one of \(Parser.allCases.map(\.rawValue))"
  )
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
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
    Parser.chosen.parse(Array(UnsafeBufferPointer(start: bytes, count: size)))
    return 0
  })
