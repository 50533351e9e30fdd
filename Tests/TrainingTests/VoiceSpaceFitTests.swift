import Glibc
import Platform
import TestServers
import Testing
import Training

@Suite(.limited) struct VoiceSpaceFitTests {
  @Test func theFirstDirectionIsTheOneThatSeparatesTheGroups() throws {
    // Groups differ along (1, 1, 0, 0); within them, the first number varies ten times as much as the second.
    let size = 4
    let within: [Float] = [10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    let between: [Float] = [2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0]
    let directions = Discriminants.directions(within, between, size: size, count: 2)
    let first = Array(directions[..<size])
    // The inverse of the matrix within, times (1, 1, 0, 0).
    let expected: [Float] = [0.1, 1, 0, 0]
    func length(_ vector: [Float]) -> Float { vector.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let cosine = zip(first, expected).reduce(0) { $0 + $1.0 * $1.1 } / length(first) / length(expected)
    #expect(abs(abs(cosine) - 1) < 1e-3)
    // Its variance within the groups is the share of its variance that is between them: 2.2 / 2.5.
    let variance = 10 * first[0] * first[0] + first[1...].reduce(0) { $0 + $1 * $1 }
    #expect(abs(variance - 2.2 / 2.5) < 1e-3)
    let second = Array(directions[size...])
    #expect(abs(abs(second[2]) / length(second) - 1) < 1e-2)
  }
}
