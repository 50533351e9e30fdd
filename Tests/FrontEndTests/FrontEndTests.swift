import FrontEnd
import Glibc
import Platform
import TestServers
import Testing

/// In a row, because creating one echo canceller disturbs another that runs.
@Suite(.limited, .serialized) struct FrontEndTests {
  static let everyCombination: [FrontEndSettings] = [false, true].flatMap { highPass in
    NoiseSuppression.allCases.flatMap { suppression in
      [false, true].flatMap { gain in
        [false, true].map { echo in
          FrontEndSettings(
            highPass: highPass, noiseSuppression: suppression, gainControl: gain, voiceActivity: !gain,
            echoCancellation: echo)
        }
      }
    }
  }
  static let withHighPass = everyCombination.filter { $0.highPass }

  @Test(.needsOptimization, arguments: everyCombination)
  func theDelayEqualsTheCrossCorrelation(settings: FrontEndSettings) throws {
    let frontEnd = try FrontEnd(settings)
    let input = Signals.speechLike(seconds: 2, amplitude: 9000)
    let noisy = Signals.sum(input, Signals.noise(seconds: 2, amplitude: 2000))
    let output = processed(noisy, by: frontEnd).samples
    #expect(Signals.lag(of: output, behind: noisy, in: 16_000..<24_000) == frontEnd.delay)
  }

  @Test func theDelayIsTheSameDuringPlayback() throws {
    let frontEnd = try FrontEnd(FrontEndSettings(echoCancellation: true))
    let input = Signals.speechLike(seconds: 3, amplitude: 9000)
    let played = Signals.noise(seconds: 3, amplitude: 300, seed: 5)
    let output = processed(input, by: frontEnd, reference: played).samples
    let lag = Signals.lag(of: output, behind: input, in: 24_000..<40_000)
    // The echo canceller of version 1.x shifts the sound of a voice a little.
    #expect(abs(lag - frontEnd.delay) <= (FrontEnd.libraryVersion == 0 ? 0 : 1))
  }

  @Test func bypassChangesNothing() throws {
    let input = Signals.noise(seconds: 1, amplitude: 32_767)
    let frontEnd = try FrontEnd(.bypass)
    #expect(processed(input, by: frontEnd).samples == input)
    #expect(frontEnd.delay == 0)
  }

  @Test(.needsOptimization, arguments: withHighPass)
  func resetEqualsAFreshInstance(settings: FrontEndSettings) throws {
    let input = Signals.sum(
      Signals.speechLike(seconds: 2, amplitude: 12_000), Signals.noise(seconds: 2, amplitude: 900))
    let played = Signals.speechLike(seconds: 2, amplitude: 5000, seed: 3)
    let used = try FrontEnd(settings)
    let first = processed(input, by: used, reference: played)
    used.reset()
    let second = processed(input, by: used, reference: played)
    let fresh = processed(input, by: try FrontEnd(settings), reference: played)
    #expect(first == fresh)
    #expect(second == fresh)
  }

  @Test func firstTwentyMillisecondsAreNotVoiced() throws {
    let silence = [Int16](repeating: 0, count: 1600)
    let frontEnd = try FrontEnd(.standard)
    #expect(!processed(silence, by: frontEnd).activity.contains { $0.voiced })
    frontEnd.reset()
    #expect(!processed(silence, by: frontEnd).activity.contains { $0.voiced })
  }
}
