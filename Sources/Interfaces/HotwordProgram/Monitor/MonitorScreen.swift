import Monitor
import Platform

/// The monitor's screen: when it is drawn, what the keys have set, and the note at the bottom.
struct MonitorScreen {
  private static let interval = 0.1
  private static let noteSeconds = 5.0
  private static let sensitivityStep = 0.05

  private let view: MonitorView
  private var painter: ScreenPainter
  private var processor = ProcessorShare()
  private var isPaused = false
  private var sensitivity = 0.0
  private var note: (text: String, until: Double)?
  private var shown: MonitorState?
  private var nextDraw = 0.0

  init(view: MonitorView, painter: ScreenPainter) {
    self.view = view
    self.painter = painter
  }

  var secondsToNextDraw: Double { max(0, nextDraw - MonotonicClock.now()) }

  /// Handles a key and draws at once; ignores other keys than `p`, `+`, `-` and `s`.
  mutating func press(_ key: Character, _ listener: MonitorListener) {
    switch key {
    case "p": isPaused.toggle()
    case "+", "=": sensitivity = min(1, sensitivity + Self.sensitivityStep)
    case "-": sensitivity = max(-1, sensitivity - Self.sensitivityStep)
    case "s": note = (listener.save(), MonotonicClock.now() + Self.noteSeconds)
    default: return
    }
    if abs(sensitivity) < 0.5 * Self.sensitivityStep { sensitivity = 0 }
    listener.setSensitivity(change: sensitivity)
    nextDraw = 0
  }

  /// Draws everything at the next opportunity: the terminal has another size, or shows something else.
  mutating func redraw() {
    painter.forget()
    nextDraw = 0
  }

  mutating func drawIfDue(_ listener: MonitorListener, on terminal: Terminal) {
    let now = MonotonicClock.now()
    guard now >= nextDraw else { return }
    nextDraw = now + Self.interval
    processor.update(at: now)
    var state = isPaused ? shown ?? listener.state : listener.state
    state.isPaused = isPaused
    state.processor = processor.share
    state.sensitivity = sensitivity
    state.note = note.flatMap { now < $0.until ? $0.text : nil }
    shown = state
    let size = terminal.size
    Terminal.write(painter.paint(view.render(state, width: size.width, height: size.height)))
  }
}

/// The part of one core that the process used in the last second.
private struct ProcessorShare {
  private static let interval = 1.0

  private(set) var share = 0.0
  private var time = MonotonicClock.now()
  private var used = MonotonicClock.processorTime()

  mutating func update(at now: Double) {
    guard now - time >= Self.interval else { return }
    let usedNow = MonotonicClock.processorTime()
    share = (usedNow - used) / (now - time)
    time = now
    used = usedNow
  }
}
