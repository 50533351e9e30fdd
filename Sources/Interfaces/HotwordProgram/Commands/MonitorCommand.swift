import AudioCapture
import CommandLineParsing
import Detection
import Glibc
import Monitor
import Platform

/// `hotword monitor`: shows the level, speech and scores of the input live.
enum MonitorCommand: Command {
  static let definition = CommandDefinition(
    "monitor", "show the input live: its level, speech, and each hotword's score",
    options: [
      SharedOptions.input,
      SharedOptions.model,
      SharedOptions.sensitivity,
      SharedOptions.pace,
    ],
    notes: [
      """
      Keys: q quit, + and - change the sensitivity, p pause the display, s save the last ten seconds as a WAV file in the \
      working folder. It needs a terminal; ssh is enough. Programs can use 'hotword run --events json'. If NO_COLOR is set, \
      there are no colours, and without a UTF-8 locale the display is ASCII.
      """
    ],
    examples: [
      "hotword monitor", "hotword monitor --model computer --model jarvis:0.6",
      "hotword monitor --input Examples/turn-on-the-kitchen-light.wav --pace",
    ])

  static func run(_ arguments: Arguments) throws {
    let input = try InputName(arguments.value("--input") ?? "alsa:default")
    let isPaced = arguments.has("--pace")
    let keyboard = try keyboard()
    let common = try Sensitivity(try arguments.number("--sensitivity", in: 0...1) ?? 0.5)
    let names = arguments.has("--model") ? arguments.all("--model") : ["computer"]
    let models = try names.map { name in
      let reference = try ModelReference(name)
      return (model: try ModelStore.standard().model(reference), sensitivity: reference.sensitivity ?? common)
    }
    let loop = try ListeningLoop(
      signals: Terminal.signals(for: .fullScreen), beforeForcedExit: Terminal.restore)
    let listener = try MonitorListener(input: "\(input)", models: models, isLive: input.isDevice)
    try loop.listen { () throws(CaptureFault) in try input.open(paced: isPaced) }
    let signal = try show(listener, loop, keyboard: keyboard)
    loop.close()
    if let signal { exit(128 + signal) }
  }

  /// Shows the screen until a key, a signal or a fault ends it.
  ///
  /// - Returns: the signal.
  private static func show(_ listener: MonitorListener, _ loop: ListeningLoop, keyboard: Int32) throws
    -> Int32?
  {
    let terminal = Terminal(.fullScreen, keyboard: keyboard)
    defer { withExtendedLifetime(terminal) { Terminal.restore() } }
    try loop.readKeys(from: keyboard)
    var screen = MonitorScreen(
      view: MonitorView(glyphs: isUTF8 ? .unicode : .ascii),
      painter: ScreenPainter(hasColour: variable("NO_COLOR")?.isEmpty ?? true))
    while true {
      screen.drawIfDue(listener, on: terminal)
      switch try loop.next(within: screen.secondsToNextDraw) {
      case .audio(let frame): listener.push(frame)
      case .key("q"): return nil
      case .key(let key): screen.press(key, listener)
      case .endOfKeys: return SIGHUP
      case .signal(SIGWINCH): screen.redraw()
      case .signal(SIGTSTP):
        terminal.suspend()
        screen.redraw()
      case .signal(SIGCONT):
        terminal.open()
        screen.redraw()
      case .signal(let signal): return signal
      case .timeout: break
      }
    }
  }

  /// The file descriptor of the terminal that sends the keys.
  private static func keyboard() throws(MonitorFault) -> Int32 {
    guard isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    let terminal = variable("TERM") ?? ""
    guard !["", "dumb", "unknown"].contains(terminal) else { throw .dumbTerminal(terminal) }
    if isatty(STDIN_FILENO) == 1 { return STDIN_FILENO }
    let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .noKeyboard }
    return descriptor
  }

  /// Whether the locale's character set is UTF-8, by the variables that `setlocale` reads.
  private static var isUTF8: Bool {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    return name.lowercased().hasSuffix("utf-8") || name.lowercased().hasSuffix("utf8")
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
