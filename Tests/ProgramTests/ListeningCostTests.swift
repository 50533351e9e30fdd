import Platform
import TestServers
import Testing

/// Instructions per second of audio, counted by valgrind, so that a slower listener is noticed on machines of any speed.
@Suite(
  .limited(minutes: 15), .needsProgram,
  .enabled(if: hasValgrind, "needs valgrind; install Debian's valgrind"))
struct ListeningCostTests {
  /// Millions per second of audio with all shipped models.
  private static let limitInSpeech = 20.0
  private static let limitInSilence = 7.0

  /// The recording has a hotword every 4.5 s, which the second stage judges.
  @Test func listeningToSpeechCostsNoMoreThanItsLimit() throws {
    let speech = try #require(Self.speech)
    #expect(try instructions(of: speech) < Self.limitInSpeech)
  }

  @Test func listeningToSilenceCostsNoMoreThanItsLimit() throws {
    #expect(try instructions(of: [UInt8](repeating: 0, count: 32_000)) < Self.limitInSilence)
  }

  /// Millions of instructions per second of `piece`, raw audio that is repeated, after the start-up and the first seconds.
  private func instructions(of piece: [UInt8]) throws -> Double {
    let models = try Program.run(["models", "--json"]).objects.flatMap { $0.array ?? [$0] }
    let names = models.compactMap { $0["name"]?.string }
    #expect(names.count >= 4)
    let options = names.map { "--model \($0)" }.joined(separator: " ")
    func counted(_ seconds: Int) throws -> Double {
      let audio = try Program.file("audio.raw", (0..<32_000 * seconds).map { piece[$0 % piece.count] })
      let run = try Program.shell(
        """
        strip -g -o "$HOME/hotword" .build/release/hotword
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$HOME/hotword" detect \(options) - <\(audio)
        """, timeout: 500)
      let line = try #require(run.errors.split(separator: "\n").last { $0.contains("Collected : ") })
      return try #require(line.split(separator: " ").last.flatMap { Double($0) }) / 1e6
    }
    return (try counted(16) - counted(6)) / 10
  }

  /// The samples of the example recording.
  private static var speech: [UInt8]? { (try? Files.read(Program.recording)).map { Array($0.dropFirst(44)) } }
}

private let hasValgrind = Files.exists("/usr/bin/valgrind")
