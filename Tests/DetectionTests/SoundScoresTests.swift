import Detection
import Glibc
import Platform
import TestServers
import Testing

@Suite(.limited) struct SoundScoresTests {
  @Test func scoresAreLogarithmsOfScaledLikelihoodsAboutTheCenter() {
    let frequencies: [Float] = [0.7, 0.2, 0.1]
    let sounds = SoundScores(offsets: frequencies.map { log($0) })
    // Logits that are the logarithms of the frequencies say nothing: all sounds are as likely.
    for score in sounds.scores(of: frequencies.map { 5 + log($0) }) {
      #expect(abs(score - 4 + log(3)) < 1e-5)
    }
    // A rare sound of the same probability scores more by the ratio of the frequencies.
    let even = sounds.scores(of: [0, 0, 0])
    #expect(abs(even[2] - even[0] - log(7)) < 1e-5)
    // Scores stay between -4 and 4, and do not depend on what all logits have in common.
    #expect(sounds.scores(of: [90, 0, -90]) == [4, -4, -4])
    for (one, other) in zip(sounds.scores(of: [1, 2, 3]), sounds.scores(of: [-9, -8, -7])) {
      #expect(abs(one - other) < 1e-5)
    }
  }

  @Test func stepsAreIndependentAndAnIncompleteOneIsLeftOut() {
    let sounds = SoundScores(offsets: [0, -1])
    let both = sounds.scores(of: [1, 2, 3, 4, 5])
    #expect(both == sounds.scores(of: [1, 2]) + sounds.scores(of: [3, 4]))
    #expect(sounds.scores(of: []).isEmpty)
  }

  @Test func modelsKeepThemAndRefuseOthers() throws {
    let encoder = try smallEncoder()
    let sounds = SoundScores(offsets: (0..<12).map { -0.25 * Float($0) })
    let path = PhrasePathSettings(pronunciations: [[1, 2, 3]])
    let model = try smallModel(encoder: encoder, sounds: sounds, path: path)
    #expect(try HotwordModel(decoding: model.encoded) == model)
    let file = try Safetensors(decoding: model.encoded)
    #expect(file["format"] == HotwordModel.format)
    let none = try smallModel(encoder: encoder)
    #expect(try HotwordModel(decoding: none.encoded) == none)
    let first = try Safetensors(decoding: none.encoded)
    let old = first.metadata.filter { $0.name != "sounds" }.map {
      (name: $0.name, text: $0.name == "format" ? "hotword-1" : $0.text)
    }
    #expect(
      try HotwordModel(decoding: Safetensors(tensors: first.tensors, metadata: old).encoded) == none,
      "a file of the first version")
    let without = Safetensors(tensors: file.tensors, metadata: file.metadata.filter { $0.name != "sounds" })
    #expect(throws: ModelDefect.self) { try HotwordModel(decoding: without.encoded) }
    #expect(throws: DetectionFault.self) { try smallModel(sounds: sounds) }
    for bad in [[0], [Float](repeating: .nan, count: 12), [Float](repeating: 21, count: 12)] {
      #expect(throws: DetectionFault.self) {
        try smallModel(encoder: encoder, sounds: SoundScores(offsets: bad))
      }
    }
    var twice = path
    twice.offsets = sounds.offsets
    #expect(throws: DetectionFault.self) { try smallModel(encoder: encoder, sounds: sounds, path: twice) }
  }
}
