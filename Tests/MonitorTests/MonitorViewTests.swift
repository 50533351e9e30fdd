import Glibc
import Monitor
import Platform
import TestServers
import Testing

/// The rendered screen, compared with literal text.
@Suite(.limited) struct MonitorViewTests {
  /// Twelve seconds with two wakes of the first hotword, the second one at the end.
  private static func state(_ names: [String] = ["computer", "smart_mirror"]) -> MonitorState {
    var state = MonitorState(
      input: "alsa:default",
      keywords: names.enumerated().map { MonitorState.Keyword(name: $1, threshold: $0 == 0 ? 0.5 : 0.35) })
    state.skip(800)
    for index in 0..<1200 {
      let second = Double(index) / 100
      let isSpoken = (2...4).contains(second) || second >= 10.5
      let peaks = [4.0, 11.9].map { max(0, 1 - abs(second - $0) / 0.6) }
      state.push(
        MonitorState.Frame(
          level: isSpoken ? -22 : -58, peak: isSpoken ? -9 : -44, noiseFloor: -59, isVoiced: isSpoken,
          scores: names.indices.map { index % 3 == 0 ? (peaks[0] + peaks[1]) / Double(1 + 3 * $0) : nil }))
    }
    state.add(.init(time: "21:14:08", keyword: "computer", score: 0.97))
    state.add(.init(time: "21:14:16", keyword: "computer", score: 0.913))
    state.countOverrun()
    state.processor = 0.0123
    return state
  }

  private func lines(_ state: MonitorState, _ width: Int, _ height: Int, _ glyphs: Glyphs = .unicode)
    -> String
  {
    MonitorView(glyphs: glyphs).render(state, width: width, height: height).lines.joined(separator: "\n")
  }

  @Test func eightyByTwentyFour() {
    #expect(
      lines(Self.state(), 80, 24) == """
         hotword monitor  alsa:default                               0:00:12  listening

         level        ████████████████████████████·······│···  -22 dBFS  peak  -9
                      -80       ^60       -40      -20      0  noise -59 dBFS
         voice 100 %  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▇▇▇▇▇▇▇▇▇▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▇▇▇▇▇▇▇

         computer     ████████████████████│█████████████·····  0.88 needs 0.50 best 0.98
                    1                               ▅▇                              ▇▆
                      ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄▃██▇┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄▆██
                    0                             ▁████▆                          ▅███
         smart_mirror █████████·····│························  0.22 needs 0.35 best 0.25
                    1
                      ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
                    0                              ▂▅▅▃▁                          ▁▃▅▅
                          -15 s               -10 s               -5 s             now

         wakes        21:14:16    computer      0.91
                      21:14:08    computer      0.97




         overruns 1   lost 0.1 s   CPU 1.2 %   sensitivity +0.00
         q quit   + - sensitivity   p pause   s save the last 10 s
        """)
  }

  @Test func aSmallTerminalKeepsTheScores() {
    #expect(
      lines(Self.state(), 60, 8) == """
         hotword monitor  alsa:default           0:00:12  listening
         level        ██████████████···│·  -22 dBFS  peak  -9
         voice 100 %  ▁▁▁▇▇▇▇▇▇▇▇▇▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▇▇▇▇▇▇▇
         computer     ██████████│██████··  0.88 needs 0.50 best 0.98
         smart_mirror ████···│···········  0.22 needs 0.35 best 0.25

         overruns 1   lost 0.1 s   CPU 1.2 %   sensitivity +0.00
         q quit   + - sensitivity   p pause   s save the last 10 s
        """)
    #expect(
      lines(Self.state(), 48, 3) == """
         level        █████·│  -22 dBFS  peak  -9
         computer     ████│█·  0.88 needs 0.50 best 0.98
         smart_mirror ██│····  0.22 needs 0.35 best 0.25
        """)
  }

  @Test func withoutUTF8TheScreenIsASCII() {
    let text = lines(Self.state(["computer"]), 72, 16, .ascii)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(
      text == """
         hotword monitor  alsa:default                       0:00:12  listening

         level        ######################......|..  -22 dBFS  peak  -9
                      -80     ^60     -40    -20    0  noise -59 dBFS
         voice 100 %  _______________*********_________________________*******

         computer     ################|##########....  0.88 needs 0.50 best 0.98
                    1                       =*                              *+
                      ----------------------##*----------------------------+##
                    0                     _####+                          =###
                                      -10 s               -5 s             now

         wakes        21:14:16    computer      0.91

         overruns 1   lost 0.1 s   CPU 1.2 %   sensitivity +0.00
         q quit   + - sensitivity   p pause   s save the last 10 s
        """)
  }

  @Test func everySizeAndNumberOfHotwordsCanBeRendered() {
    for count in [0, 1, 3, 9] {
      let state = Self.state((0..<count).map { "word\($0)" })
      for height in 0...30 {
        for width in [0, 1, 5, 20, 39, 40, 41, 79, 80, 200] {
          let screen = MonitorView(glyphs: .unicode).render(state, width: width, height: height)
          #expect(screen.cells.count == width * height)
        }
        if height > count {
          let text = lines(state, 80, height)
          for index in 0..<count { #expect(text.contains("word\(index) "), "\(height) rows") }
        }
      }
    }
  }

  @Test func problemsAreShown() {
    var state = Self.state()
    state.stage = .lost
    #expect(lines(state, 80, 24).contains("device lost"))
    state.isPaused = true
    #expect(lines(state, 80, 24).contains("paused"))
    state.note = "saved 10 s to heard.wav"
    #expect(lines(state, 80, 24).contains("saved 10 s to heard.wav"))
    var hostile = MonitorState(input: "\u{1B}[2J\n漢字", keywords: [])
    hostile.note = "\u{7}"
    #expect(lines(hostile, 80, 24).contains("?[2J???"))
    #expect(!lines(hostile, 80, 24).contains("\u{7}"))
  }
}
