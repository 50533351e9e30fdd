import Monitor
import Platform
import TestServers
import Testing

/// A terminal that interprets the painter's bytes.
private struct FakeTerminal {
  var screen: Screen
  var row = 0
  var column = 0
  var ink = Screen.Ink.plain

  init(_ width: Int, _ height: Int) { screen = Screen(width: width, height: height) }

  mutating func take(_ bytes: [UInt8]) {
    var scalars = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    while let scalar = scalars.popFirst() {
      guard scalar == "\u{1B}" else {
        screen.put(String(Character(scalar)), row: row, column: column, ink)
        column += 1
        continue
      }
      #expect(scalars.popFirst() == "[")
      var words = ""
      while let next = scalars.popFirst() {
        if "HJm".unicodeScalars.contains(next) {
          obey(next, words.split(separator: ";").compactMap { Int($0) })
          break
        }
        words.unicodeScalars.append(next)
      }
    }
  }

  private mutating func obey(_ command: Unicode.Scalar, _ numbers: [Int]) {
    switch command {
    case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case "J": screen = Screen(width: screen.width, height: screen.height)
    default:
      let inks: [Int: Screen.Ink] = [0: .plain, 1: .bold, 2: .dim, 31: .bad, 32: .good, 33: .caution]
      for number in numbers { ink = inks[number]! }
    }
  }
}

@Suite(.limited) struct ScreenPainterTests {
  private func random(_ seed: UInt64, like old: Screen? = nil) -> Screen {
    var random = RandomSource(seed: seed)
    var screen = old ?? Screen(width: 40, height: 6)
    for _ in 0..<30 {
      let ink = [Screen.Ink.plain, .bold, .dim, .good, .caution, .bad][Int(random.next() % 6)]
      let text = String(["a", "█", " ", "xyz", "needs 0.50"][Int(random.next() % 5)])
      screen.put(text, row: Int(random.next() % 6), column: Int(random.next() % 40), ink)
    }
    return screen
  }

  @Test func theTerminalShowsEveryScreen() {
    var painter = ScreenPainter(hasColour: true)
    var terminal = FakeTerminal(40, 6)
    var screen = random(1)
    for seed in 2...60 {
      terminal.take(painter.paint(screen))
      #expect(terminal.screen == screen)
      screen = random(UInt64(seed), like: seed % 4 == 0 ? nil : screen)
      if seed % 9 == 0 { painter.forget() }
    }
  }

  @Test func onlyChangesAreSent() {
    var painter = ScreenPainter(hasColour: true)
    var screen = random(1)
    _ = painter.paint(screen)
    #expect(painter.paint(screen).isEmpty)
    screen.put("!", row: 2, column: 7, .good)
    let bytes = painter.paint(screen)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[3;8H\u{1B}[0;32m!\u{1B}[0m")
  }

  @Test func anotherSizeIsPaintedCompletely() {
    var painter = ScreenPainter(hasColour: true)
    _ = painter.paint(random(1))
    var terminal = FakeTerminal(20, 3)
    var screen = Screen(width: 20, height: 3)
    screen.put("small", row: 1, column: 2)
    terminal.take(painter.paint(screen))
    #expect(terminal.screen == screen)
  }

  @Test func withoutColourNoColoursAreSent() {
    var painter = ScreenPainter(hasColour: false)
    let text = String(decoding: painter.paint(random(3)), as: UTF8.self)
    for code in ["31m", "32m", "33m"] { #expect(!text.contains(code)) }
  }
}

@Suite(.limited) struct HistoryTests {
  @Test func aColumnHasItsHighestValueAndGapsAreZero() {
    var history = History()
    for (value, second) in [(0.1, 0.0), (0.9, 0.1), (0.2, 0.2), (0.5, 0.3), (0.4, 1.1)] {
      history.push(value, at: second)
    }
    #expect(history.last(6) == [0, 0.9, 0.5, 0, 0, 0.4])
    #expect(history.last(2) == [0, 0.4])
  }

  @Test func theHistoryIsBounded() {
    var history = History()
    for index in 0..<5_000 { history.push(1, at: Double(index)) }
    #expect(history.columns.count == History.capacity)
    history.push(0.5, at: 1e6)
    #expect(history.columns.count == History.capacity)
    #expect(history.last(2) == [0, 0.5])
  }
}
