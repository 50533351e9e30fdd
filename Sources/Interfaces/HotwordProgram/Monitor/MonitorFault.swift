import Platform

/// What keeps the monitor from showing anything.
enum MonitorFault: Fault, Equatable {
  /// Standard output is no terminal.
  case noTerminal
  /// The terminal says that it cannot place the cursor.
  case dumbTerminal(String)
  /// Standard input is the audio, and there is no terminal besides.
  case noKeyboard

  var exitCode: ExitCode { .unavailable }

  var message: String {
    switch self {
    case .noTerminal:
      "monitor: standard output is no terminal; for programs there is 'hotword run --events json'"
    case .dumbTerminal(let name):
      "monitor: the terminal '\(name)' shows no pictures; set TERM to what it is, or use 'hotword run'"
    case .noKeyboard: "monitor: no terminal for the keys; give the audio as a file or a device"
    }
  }
}
