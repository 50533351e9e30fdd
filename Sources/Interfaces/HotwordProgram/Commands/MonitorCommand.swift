import AudioCapture
import CommandLineParsing
import Detection
import Glibc
import Monitor
import Platform

/// `hotword monitor`: a live picture of what is heard.
enum MonitorCommand {
  /// Seconds between two pictures, and between two looks at the processor's clock.
  private static let interval = 0.1
  private static let processorInterval = 1.0
  /// Seconds that a note is shown.
  private static let noteSeconds = 5.0
  private static let sensitivityStep = 0.05

  static func run(_ arguments: Arguments) throws {
    let input = try InputName(arguments.value("--input") ?? "alsa:default")
    let keyboard = try keyboard()
    let common = try Sensitivity(try arguments.number("--sensitivity", in: 0...1) ?? 0.5)
    let names = arguments.has("--model") ? arguments.all("--model") : ["computer"]
    let models = try names.map { name in
      let reference = try ModelReference(name)
      return (model: try ModelStore.standard().model(reference), sensitivity: reference.sensitivity ?? common)
    }
    FullScreen.holdSignals()
    let source = try input.open(paced: arguments.has("--pace"))
    var isLive = false
    if case .alsa = input { isLive = true }
    let ear = try MonitorEar(source, name: "\(input)", models: models, isLive: isLive)
    let signal = show(ear, on: FullScreen(keyboard: keyboard))
    ear.stop()
    source.close()
    if let failure = ear.failure { throw failure }
    if let signal { exit(128 + signal) }
  }

  /// Where keys come from.
  private static func keyboard() throws(MonitorFault) -> Int32 {
    guard isatty(STDOUT_FILENO) == 1 else { throw .noTerminal }
    let terminal = variable("TERM") ?? ""
    guard !["", "dumb", "unknown"].contains(terminal) else { throw .dumbTerminal(terminal) }
    if isatty(STDIN_FILENO) == 1 { return STDIN_FILENO }
    let descriptor = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .noKeyboard }
    return descriptor
  }

  /// Draws until the user, a signal or a fault ends it.
  ///
  /// - Returns: the signal.
  private static func show(_ ear: MonitorEar, on terminal: FullScreen) -> Int32? {
    defer { terminal.close() }
    let view = MonitorView(glyphs: isUTF8 ? .unicode : .ascii)
    var painter = ScreenPainter(hasColour: variable("NO_COLOR")?.isEmpty ?? true)
    var keys = Keys()
    var processor = ProcessorShare()
    var note: (text: String, until: Double)?
    var shown = ear.state
    var next = MonotonicClock.now()
    while ear.failure == nil {
      var now = MonotonicClock.now()
      switch terminal.next(within: Int32(max(0, 1000 * (next - now)))) {
      case .end(let signal): return signal
      case .redraw: painter.forget()
      case .key("q"): return nil
      case .key(let key): keys.press(key, ear)
      case nil: break
      }
      now = MonotonicClock.now()
      processor.look(at: now)
      if now < next, keys.isUnchanged { continue }
      if now >= next { next = now + interval }
      keys.isUnchanged = true
      let state = ear.state
      if state.note != nil, state.note != note?.text { note = (state.note!, now + noteSeconds) }
      if !keys.isPaused { shown = state }
      shown.isPaused = keys.isPaused
      shown.processor = processor.share
      shown.sensitivity = keys.sensitivity
      shown.note = note.flatMap { now < $0.until ? $0.text : nil }
      let size = terminal.size
      FullScreen.write(painter.paint(view.render(shown, width: size.width, height: size.height)))
    }
    return nil
  }

  /// What the keys have set.
  private struct Keys {
    var isPaused = false
    var sensitivity = 0.0
    var isUnchanged = true

    mutating func press(_ key: Character, _ ear: MonitorEar) {
      isUnchanged = false
      switch key {
      case "p": isPaused.toggle()
      case "+", "=": sensitivity = min(1, sensitivity + sensitivityStep)
      case "-": sensitivity = max(-1, sensitivity - sensitivityStep)
      case "s": ear.save()
      default: isUnchanged = true
      }
      if abs(sensitivity) < 0.5 * sensitivityStep { sensitivity = 0 }
      ear.setSensitivity(sensitivity)
    }
  }

  /// The part of one core that the process took in the last second.
  private struct ProcessorShare {
    private(set) var share = 0.0
    private var time = MonotonicClock.now()
    private var used = MonotonicClock.processorTime()

    mutating func look(at now: Double) {
      guard now - time >= processorInterval else { return }
      let usedNow = MonotonicClock.processorTime()
      share = (usedNow - used) / (now - time)
      time = now
      used = usedNow
    }
  }

  /// Whether the locale's characters are UTF-8, as `setlocale` would find it.
  private static var isUTF8: Bool {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    return name.lowercased().hasSuffix("utf-8") || name.lowercased().hasSuffix("utf8")
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
