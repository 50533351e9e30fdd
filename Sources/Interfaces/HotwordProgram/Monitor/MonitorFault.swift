import Platform

/// Why the monitor cannot show its screen.
enum MonitorFault: Fault, Equatable {
  /// Standard output is not a terminal.
  case noTerminal
  /// The terminal cannot place the cursor.
  case dumbTerminal(String)
  /// Standard input is the audio, and there is no other terminal.
  case noKeyboard

  var exitCode: ExitCode { .unavailable }

  var message: String {
    switch self {
    case .noTerminal:
      "monitor: standard output is not a terminal; programs can use 'hotword run --events json'"
    case .dumbTerminal(let name):
      "monitor: the terminal type '\(name)' cannot show a full screen; set TERM to your terminal's type, or use 'hotword run'"
    case .noKeyboard: "monitor: there is no terminal for the keys; give the audio as a file or a device"
    }
  }
}
