import Detection
import Platform
import TestServers
import Testing

@Suite(.limited) struct PlaybackSensitivityTests {
  private func spotter(_ sensitivities: [Double]) throws -> KeywordSpotter {
    let shape = try NetworkShape(channels: 8, kernel: 3, dilations: [1, 2])
    return try KeywordSpotter(
      sensitivities.enumerated().map { index, sensitivity in
        let model = try HotwordModel(
          name: "\(index)", phrase: "a", frontEnd: .standard, features: .standard,
          networks: [.random(shape, seed: 1)], decision: DecisionSettings(threshold: 0.5))
        return (model, try Sensitivity(sensitivity))
      })
  }

  private func sensitivities(_ spotter: KeywordSpotter) -> [Double] {
    spotter.keywords.map { (100 * $0.sensitivity.value).rounded() / 100 }
  }

  @Test func sensitivitiesAreRaisedDuringPlaybackAndForASecondAfterIt() throws {
    let spotter = try spotter([0.5, 0.2, 0.8])
    let threshold = spotter.keywords[0].threshold
    var playbackSensitivity = PlaybackSensitivity(spotter)
    playbackSensitivity.update(isPlaying: false, at: 0, spotter)
    #expect(sensitivities(spotter) == [0.5, 0.2, 0.8])
    for position in stride(from: 160, through: 16_000, by: 160) {
      playbackSensitivity.update(isPlaying: true, at: position, spotter)
      #expect(sensitivities(spotter) == [0.9, 0.6, 1])
    }
    #expect(spotter.keywords[0].threshold < threshold)
    playbackSensitivity.update(isPlaying: false, at: 32_000, spotter)
    #expect(sensitivities(spotter) == [0.9, 0.6, 1], "a word that began in the speech")
    playbackSensitivity.update(isPlaying: false, at: 32_160, spotter)
    #expect(sensitivities(spotter) == [0.5, 0.2, 0.8])
    #expect(spotter.keywords[0].threshold == threshold)
  }

  @Test func aChangeCountsInSilenceAndDuringPlayback() throws {
    let spotter = try spotter([0.5, 0.2])
    var playbackSensitivity = PlaybackSensitivity(spotter)
    func change(_ model: Int, _ value: Double) throws {
      let usual = try Sensitivity(value)
      playbackSensitivity.change(
        model, usual: (usual, spotter.threshold(for: usual, of: model)),
        raised: PlaybackSensitivity.raised(usual, of: model, spotter), spotter)
    }
    try change(1, 0.3)
    #expect(sensitivities(spotter) == [0.5, 0.3])
    playbackSensitivity.update(isPlaying: true, at: 0, spotter)
    #expect(sensitivities(spotter) == [0.9, 0.7])
    try change(0, 0.1)
    #expect(sensitivities(spotter) == [0.5, 0.7])
    playbackSensitivity.update(isPlaying: false, at: 32_000, spotter)
    #expect(sensitivities(spotter) == [0.1, 0.3])
  }
}
