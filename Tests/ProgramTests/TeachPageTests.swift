import AudioCapture
import Glibc
import Platform
import TestServers
import Testing

/// Teaching a phrase on the page, with the real programs behind it.
@Suite(.limited, .needsProgram, .serialized) struct TeachPageTests {
  private static let phrase = "hello house"

  @Test func aTrainingRunsInTheBackgroundAndEndsWithTheProgram() throws {
    let page = try ServedPage(["web", "127.0.0.1:0", "--keep", Program.temporaryFolder()])
    let phrase = try page.send("/api/phrases", ["phrase": .string(Self.phrase)])
    #expect(phrase["name"] == "hello_house")
    let speech = try page.send("/api/pronounce", ["phrase": "compuder"])
    let warnings = (speech["warnings"]?.array ?? []).compactMap(\.string)
    #expect(warnings.contains { $0.contains("sounds like 'computer'") }, "\(speech)")
    #expect(try #require(speech["voices"]?.array).contains("flite slt"))
    #expect(speech["pronunciations"]?.array?.isEmpty == false)
    _ = try page.send("/api/phrases/hello_house/train", ["steps": 10])
    var children: [pid_t] = []
    let isRunning = Waiting.until {
      children = Self.children(of: page.service.process)
      return children.count == 1 && (try? page.send("/api/work"))?["work"]?["part"]?.number != nil
    }
    #expect(isRunning, "progress is reported")
    #expect(try page.service.end(by: SIGTERM).code == 0)
    #expect(Waiting.until { children.allSatisfy { kill($0, 0) != 0 } }, "the training has ended")
  }

  /// A person types a phrase, hears and records it, and starts a training that survives a reload and is cancelled. `make test` has
  /// no time for its end: `Tests/teach-in-a-browser` goes on from there.
  @Test(.enabled(if: WebTests.Browser.isThere, "no chromium, or no Python with websockets; install chromium"))
  func aPersonTeachesAPhraseInABrowser() throws {
    let page = try ServedPage(["web", "127.0.0.1:0", "--keep", Program.temporaryFolder()])
    let words = ["--teach", Self.phrase, "--speech", try Self.microphone()]
    try WebTests.Browser.use(page.port, words, facts: 11)
  }

  /// A recording for the microphone of a browser: low noise for four seconds, and the phrase after one.
  private static func microphone() throws -> String {
    let spoken = try Subprocess(["\(Program.path)-train", "say", phrase, "--voice", "flite slt"])
      .run(timeout: 120)
    var samples = (0..<64_000).map { Int16(($0 &* 7_919) % 21 - 10) }
    for (index, sample) in try AudioFile.decode(spoken.output, name: "say", limit: 40_000).enumerated() {
      samples[16_000 + index] = sample / 2
    }
    return try Program.file("microphone.wav", AudioFile.wave(samples))
  }

  /// The processes that a program has started.
  private static func children(of process: pid_t) -> [pid_t] {
    let path = "/proc/\(process)/task"
    return ((try? Files.names(in: path)) ?? []).flatMap { thread in
      let text = String(decoding: (try? Files.read("\(path)/\(thread)/children")) ?? [], as: UTF8.self)
      return text.split(separator: " ").compactMap { pid_t($0) }
    }
  }
}
