import Platform

/// The monitor's screen: the layout of a state on a terminal of any size.
public struct MonitorView: Sendable {
  public let glyphs: Glyphs

  private static let keys = "q quit   + - sensitivity   p pause   s save the last 10 s"
  /// Columns before and after the meters.
  private static let label = 14
  private static let values = 27
  /// The narrowest meter with a scale, in columns.
  private static let leastScale = 25
  private static let mostWakes = 5
  private static let usualGraphRows = 3
  private static let mostGraphRows = 6

  public init(glyphs: Glyphs) { self.glyphs = glyphs }

  public func render(_ state: MonitorState, width: Int, height: Int) -> Screen {
    var screen = Screen(width: width, height: height)
    let layout = Layout(
      height: height, keywords: state.keywords.count, canScale: meterWidth(screen) >= Self.leastScale)
    if let row = layout.title { title(state, &screen, row) }
    if let row = layout.level { level(state, &screen, row, hasScale: layout.hasScale) }
    if let row = layout.voice { voice(state, &screen, row) }
    for (index, row) in layout.keywords.enumerated() {
      keyword(state.keywords[index], &screen, row, graphRows: layout.graphRows)
    }
    if let row = layout.timeScale { timeScale(&screen, row) }
    if let row = layout.wakes { wakes(state, &screen, row, count: layout.wakeRows) }
    if let row = layout.counters { counters(state, &screen, row) }
    if let row = layout.keys {
      screen.put(state.note ?? Self.keys, row: row, column: 1, state.note == nil ? .dim : .bold)
    }
    return screen
  }

  /// The row of each part; nil for a part without room. The scores have priority, then the level, then the rest.
  private struct Layout {
    var title: Int?
    var level: Int?
    var hasScale = false
    var voice: Int?
    var keywords: [Int] = []
    var graphRows = 0
    var timeScale: Int?
    var wakes: Int?
    var wakeRows = 0
    var counters: Int?
    var keys: Int?

    init(height: Int, keywords count: Int, canScale: Bool) {
      let least = max(1, count)
      var left = height - least
      var row = 0
      if left >= 1 { left -= 1 } else { self.keywords = Array(0..<max(0, min(count, height))) }
      guard self.keywords.isEmpty else { return }
      let hasKeys = left >= 1
      let hasTitle = left >= 2
      let hasCounters = left >= 3
      let hasVoice = left >= 4
      hasScale = left >= 5 && canScale
      let isSpaced = left >= 10
      left -= [hasKeys, hasTitle, hasCounters, hasVoice, hasScale].count { $0 } + (isSpaced ? 4 : 0)
      if hasTitle {
        title = row
        row += isSpaced ? 2 : 1
      }
      level = row
      row += hasScale ? 2 : 1
      if hasVoice {
        voice = row
        row += isSpaced ? 2 : 1
      }
      graphRows = min(MonitorView.usualGraphRows, left / least)
      left -= graphRows * count
      wakeRows = max(0, min(MonitorView.mostWakes, left - 1))
      if wakeRows > 0 { left -= wakeRows + 1 }
      graphRows += min(MonitorView.mostGraphRows - graphRows, left / least)
      for index in 0..<count { self.keywords.append(row + index * (1 + graphRows)) }
      let end = row + count * (1 + graphRows)
      if isSpaced, graphRows > 0 { timeScale = end }
      if wakeRows > 0 { wakes = end + (isSpaced ? 2 : 0) }
      if hasCounters { counters = height - 2 }
      if hasKeys { keys = height - 1 }
    }
  }

  private func title(_ state: MonitorState, _ screen: inout Screen, _ row: Int) {
    let (stage, ink): (String, Screen.Ink) =
      switch state.stage {
      case _ where state.isPaused: ("paused", .caution)
      case .listening: ("listening", .good)
      case .lost: ("device lost", .bad)
      case .ended: ("the audio ended", .caution)
      }
    screen.put("hotword monitor", row: row, column: 1, .bold)
    let right = "  \(Self.clock(state.seconds))  "
    let end = screen.width - 1 - right.count - stage.count
    screen.put(String(state.input.prefix(max(0, end - 18))), row: row, column: 18)
    screen.put(right, row: row, column: end)
    screen.put(stage, row: row, column: screen.width - 1 - stage.count, ink)
  }

  private func level(_ state: MonitorState, _ screen: inout Screen, _ row: Int, hasScale: Bool) {
    let width = meterWidth(screen)
    func place(_ decibels: Double) -> Int {
      Int((Double(width) * (1 - decibels / MonitorState.lowest)).rounded())
    }
    screen.put("level", row: row, column: 1)
    bar(place(state.level), of: width, &screen, row) { column in
      column >= place(-3) ? .bad : column >= place(-12) ? .caution : .good
    }
    if state.peak > MonitorState.lowest {
      let peak = max(0, min(width - 1, place(state.peak)))
      screen.put(glyphs.mark, row: row, column: Self.label + peak, state.peak > -1 ? .bad : .bold)
    }
    let values = "\(Self.decibels(state.level)) dBFS  peak \(Self.decibels(state.peak))"
    screen.put(values, row: row, column: Self.label + width + 2)
    guard hasScale else { return }
    for mark in stride(from: -80, to: -19, by: 20) {
      screen.put("\(mark)", row: row + 1, column: Self.label + place(Double(mark)), .dim)
    }
    screen.put("0", row: row + 1, column: Self.label + width - 1, .dim)
    let floor = Self.label + max(0, min(width - 1, place(state.noiseFloor)))
    screen.put("^", row: row + 1, column: floor, .bold)
    screen.put(
      "noise \(Self.decibels(state.noiseFloor)) dBFS", row: row + 1, column: Self.label + width + 2, .dim)
  }

  private func voice(_ state: MonitorState, _ screen: inout Screen, _ row: Int) {
    screen.put("voice", row: row, column: 1)
    screen.put(Self.percent(state.voice), row: row, column: 7, state.voice > 0.5 ? .good : .plain)
    for (index, value) in state.voiceHistory.last(graphWidth(screen)).enumerated() {
      screen.put(step(value), row: row, column: Self.label + index, value > 0.5 ? .good : .dim)
    }
  }

  private func keyword(
    _ keyword: MonitorState.Keyword, _ screen: inout Screen, _ row: Int, graphRows: Int
  ) {
    let width = meterWidth(screen)
    func place(_ score: Double) -> Int { Int((Double(width) * min(1, max(0, score))).rounded()) }
    let isTriggered = keyword.score >= keyword.threshold
    screen.put(String(keyword.name.prefix(Self.label - 2)), row: row, column: 1, isTriggered ? .good : .bold)
    bar(place(keyword.score), of: width, &screen, row) { _ in isTriggered ? .good : .caution }
    let mark = max(0, min(width - 1, place(keyword.threshold)))
    screen.put(glyphs.mark, row: row, column: Self.label + mark, .bold)
    screen.put(
      Self.score(keyword.score), row: row, column: Self.label + width + 2, isTriggered ? .good : .plain)
    screen.put(
      "needs \(Self.score(keyword.threshold)) best \(Self.score(keyword.best))", row: row,
      column: Self.label + width + 7, .dim)
    graph(keyword, &screen, row + 1, rows: graphRows)
  }

  /// The scores of the last seconds, with the threshold as a horizontal line.
  private func graph(_ keyword: MonitorState.Keyword, _ screen: inout Screen, _ top: Int, rows: Int) {
    guard rows > 0 else { return }
    let line = rows - 1 - min(rows - 1, Int(keyword.threshold * Double(rows)))
    if rows > 1 {
      screen.put("1", row: top, column: Self.label - 2, .dim)
      screen.put("0", row: top + rows - 1, column: Self.label - 2, .dim)
    }
    for (column, value) in keyword.history.last(graphWidth(screen)).enumerated() {
      let ink: Screen.Ink = value >= keyword.threshold ? .good : .caution
      for row in 0..<rows {
        let inside = value * Double(rows) - Double(rows - 1 - row)
        if inside >= 0.0625 {
          screen.put(step(inside), row: top + row, column: Self.label + column, ink)
        } else if row == line, rows > 1 {
          screen.put(glyphs.line, row: top + row, column: Self.label + column, .dim)
        }
      }
    }
  }

  private func wakes(_ state: MonitorState, _ screen: inout Screen, _ row: Int, count: Int) {
    screen.put(state.wakes.isEmpty ? "no wakes yet" : "wakes", row: row, column: 1, .dim)
    for (index, wake) in state.wakes.prefix(count).enumerated() {
      screen.put(wake.time, row: row + index, column: Self.label)
      screen.put(wake.keyword, row: row + index, column: Self.label + 12, .bold)
      screen.put(
        Self.score(wake.score), row: row + index, column: Self.label + max(26, 14 + wake.keyword.count))
    }
  }

  private func counters(_ state: MonitorState, _ screen: inout Screen, _ row: Int) {
    let lost = "overruns \(state.overruns)   lost \(Self.tenths(state.lostSeconds)) s"
    screen.put(lost, row: row, column: 1, state.overruns > 0 ? .bad : .dim)
    let sign = state.sensitivity < 0 ? "-" : "+"
    let rest =
      "   CPU \(Self.tenths(100 * state.processor)) %   sensitivity \(sign)\(Self.score(abs(state.sensitivity)))"
    screen.put(rest, row: row, column: 1 + lost.count, .dim)
  }

  private func bar(
    _ filled: Int, of width: Int, _ screen: inout Screen, _ row: Int, ink: (Int) -> Screen.Ink
  ) {
    for column in 0..<max(0, width) {
      let isFull = column < filled
      screen.put(
        isFull ? glyphs.full : glyphs.empty, row: row, column: Self.label + column,
        isFull ? ink(column) : .dim)
    }
  }

  private func step(_ value: Double) -> String {
    let index = Int(min(1, max(0, value)) * Double(glyphs.steps.count)) - 1
    return String(Character(glyphs.steps[max(0, min(glyphs.steps.count - 1, index))]))
  }

  /// The age of the columns of the graphs.
  private func timeScale(_ screen: inout Screen, _ row: Int) {
    let now = Self.label + graphWidth(screen)
    let columns = Int(5 / History.columnSeconds)
    for mark in 1..<max(1, (graphWidth(screen) + columns - 1) / columns) {
      screen.put("-\(5 * mark) s", row: row, column: now - mark * columns, .dim)
    }
    screen.put("now", row: row, column: now - 3, .dim)
  }

  /// Columns of the graphs.
  private func graphWidth(_ screen: Screen) -> Int { max(0, screen.width - Self.label - 2) }

  private func meterWidth(_ screen: Screen) -> Int { max(0, screen.width - Self.label - Self.values) }

  /// `0.50`, always four columns.
  private static func score(_ value: Double) -> String {
    let hundredths = Int((min(9.99, max(0, value)) * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((max(0, value) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func percent(_ part: Double) -> String { padded("\(Int((100 * part).rounded())) %", 5) }

  private static func decibels(_ value: Double) -> String { padded("\(Int(value.rounded()))", 3) }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
