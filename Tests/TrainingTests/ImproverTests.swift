import AudioCapture
import Clips
import Corpora
import Detection
import Evaluation
import Glibc
import PCM
import Platform
import TestServers
import Testing
import Training

/// A temporary folder, removed on release.
private final class Folder {
  let path: String

  init() {
    path = PythonServer.temporaryFolder("improve")
  }

  deinit { _ = try? Subprocess(["rm", "-r", path]).run(timeout: 5) }

  /// Writes a clip named like those of `run --keep`, `seconds` after the first.
  func add(_ samples: [Int16], to folder: String, at seconds: Double) throws {
    try Files.createFolder("\(path)/\(folder)")
    let time = ClipTime(milliseconds: 1_800_000_000_000).advanced(by: seconds)
    let clip = Clip(time: time, keyword: "jarvis", kind: .wake, score: 0.6)
    try AudioFile.write(samples, to: "\(path)/\(folder)/\(clip.fileName)")
  }
}

private func model(encoder: NetworkWeights? = nil) throws -> HotwordModel {
  var decision = DecisionSettings()
  decision.wordDuration = 0.5
  let inputs = encoder?.shape.outputs ?? FeatureSettings.standard.coefficients
  let shape = try NetworkShape(inputs: inputs, channels: 8, dilations: [1])
  return try HotwordModel(
    name: "jarvis", phrase: "jarvis", frontEnd: .standard, features: .standard, encoder: encoder,
    networks: [NetworkWeights(zero: shape)], decision: decision)
}

private func sound(_ seconds: Double, seed: UInt64) -> [Int16] {
  var random = RandomSource(seed: seed)
  return Level.integers((0..<AudioFormat.samples(seconds)).map { _ in random.uniform(-0.2...0.2) })
}

@Suite(.limited(minutes: 15)) struct FieldClipsTests {
  @Test func clipsAreDividedAtLongPauses() {
    func times(_ seconds: [Double]) -> [ClipTime?] {
      seconds.map { ClipTime(milliseconds: 1_800_000_000_000).advanced(by: $0) }
    }
    #expect(FieldClips.folds([nil]) == [0])
    #expect(FieldClips.folds([nil, nil]) == [0, 1])
    #expect(FieldClips.folds((0..<8).map { _ in nil }) == [0, 0, 1, 1, 2, 2, 3, 3])
    #expect(FieldClips.folds(times((0..<20).map { Double($0) * 60 })) == (0..<20).map { $0 / 5 })
    // Separate evenings are not divided.
    let evenings: [Double] = (0..<20).map { index in
      let evening = index < 6 ? 0 : index < 11 ? 1 : 2
      return Double(index) * 60 + Double(evening) * 80_000
    }
    let expected = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3]
    #expect(FieldClips.folds(times(evenings)) == expected)
    for count in 1..<40 {
      let folds = FieldClips.folds((0..<count).map { _ in nil })
      #expect(folds == folds.sorted() && Set(folds) == Set(0..<min(4, count)))
    }
  }

  @Test func aReviewFolderReturnsTheModelsClipsOfThatLabel() throws {
    let folder = Folder()
    for index in 0..<8 {
      try folder.add(sound(6, seed: UInt64(index)), to: "jarvis/false-alarms", at: Double(index))
      try folder.add(sound(3, seed: 90), to: "jarvis/wakes", at: Double(index))
      try folder.add(sound(3, seed: 91), to: "computer/false-alarms", at: Double(index))
    }
    for path in ["", "/jarvis", "/jarvis/false-alarms"] {
      let found = try FieldClips([folder.path + path], .falseAlarms, of: model(), threads: 2)
      #expect(found.clips.count == 8)
      #expect(found.clips.allSatisfy { $0.name.contains("/jarvis/false-alarms/") })
      #expect(found.clips.map(\.heldOut) == (0..<8).map { .from($0 / 2) })
      // The phrase ends one second before the end and is as long as the model's phrase; two seconds before it are trained.
      #expect(
        found.clips.allSatisfy { $0.samples.count == 96_000 && $0.trained == $0.samples.suffix(48_000) })
      #expect(found.clips.allSatisfy { $0.word == 24_000..<32_000 })
    }
  }

  /// Clips with another label, or with none, are not taken for it.
  @Test func aReviewFolderWithoutClipsOfThatLabelGivesNone() throws {
    let folder = Folder()
    try folder.add(sound(6, seed: 1), to: "", at: 0)
    try folder.add(sound(6, seed: 5), to: "computer/missed", at: 5)
    #expect(
      try FieldClips([folder.path], .missed, of: model(), threads: 2).clips.isEmpty, "another hotword's")
    try folder.add(sound(6, seed: 2), to: "jarvis/wakes", at: 1)
    for use in [FieldClips.Use.falseAlarms, .missed] {
      let found = try FieldClips([folder.path], use, of: model(), threads: 2)
      #expect(found.clips.isEmpty)
      #expect(found.leftOut == ["\(folder.path): no clip is labelled \(use.rawValue)"])
    }
    try folder.add(sound(6, seed: 3), to: "jarvis/missed", at: 2)
    #expect(try FieldClips([folder.path], .missed, of: model(), threads: 2).clips.count == 1)
    #expect(try FieldClips([folder.path], .falseAlarms, of: model(), threads: 2).clips.isEmpty)
  }

  @Test func unusableClipsAreReported() throws {
    let folder = Folder()
    try folder.add(sound(3, seed: 1), to: "clips", at: 0)
    try AudioFile.write(sound(12, seed: 2), to: "\(folder.path)/clips/evening.wav")
    try AudioFile.write([Int16](repeating: 0, count: 16_000), to: "\(folder.path)/clips/silence.wav")
    try Files.write(Array("no audio".utf8), to: "\(folder.path)/clips/text.wav")
    let found = try FieldClips(["\(folder.path)/clips"], .falseAlarms, of: model(), threads: 2)
    #expect(found.clips.count == 2)
    #expect(found.clips.allSatisfy { $0.samples.count <= ClipCutter.before + ClipCutter.after })
    #expect(found.leftOut.count == 2)
    for (name, flaw) in [("silence", "silent"), ("text", "text.wav")] {
      #expect(found.leftOut.contains { $0.contains(name) && $0.contains(flaw) }, "\(found.leftOut)")
    }
    #expect(throws: CorpusFault.noFolder("/nowhere")) {
      try FieldClips(["/nowhere"], .missed, of: model(), threads: 2)
    }
  }
}

@Suite(.limited(minutes: 15)) struct ComparisonTests {
  private func comparison(missedAfter: Int) -> Comparison {
    Comparison(
      rows: [
        .init("false alarms that still trigger ", name: "falseAlarms", before: 5, after: 1, of: 5),
        .init("recordings missed", name: "missed", before: 3, after: missedAfter, of: 100),
        .init("false alarms in other audio", name: "otherAlarms", before: 1, after: 0, of: 0),
      ], hours: 2, hasEvaluationModels: true)
  }

  @Test func aHigherMissRateIsReported() {
    #expect(!comparison(missedAfter: 4).text.contains("misses the phrase more often"))
    #expect(comparison(missedAfter: 5).text.contains("misses the phrase more often"))
  }

  @Test func theTableShowsBothVersions() throws {
    let lines = comparison(missedAfter: 3).text.split(separator: "\n")
    #expect(lines[1].hasSuffix("5 of 5          1 of 5"), "\(lines)")
    #expect(lines[3].hasSuffix("1 in 2.0 h      0 in 2.0 h"), "\(lines)")
    let json = comparison(missedAfter: 3).json
    #expect(json["falseAlarms"]?["after"]?.number == 1 && json["falseAlarms"]?["of"]?.number == 5)
    #expect(json["hours"]?.number == 2)
  }
}

@Suite(.limited(minutes: 15), .serialized) struct ImproverTests {
  @Test func clipsWithoutLabelsCannotBeBothFalseAlarmsAndMissed() throws {
    let folder = Folder()
    try folder.add(sound(6, seed: 1), to: "", at: 0)
    var settings = ImprovementSettings(try model(), path: "Models/jarvis.safetensors")
    (settings.falseAlarms, settings.missed) = ([folder.path], [folder.path])
    #expect(throws: TrainingFault.noClips(folder.path)) { try Improver.check(settings) }
  }

  @Test func aModelOfAnotherEncoderIsRejected() throws {
    let encoder = try NetworkWeights(zero: NetworkShape(channels: 8, dilations: [1], outputs: 5))
    for encoder in [nil, encoder] {
      let settings = ImprovementSettings(try model(encoder: encoder), path: "Models/jarvis.safetensors")
      #expect(throws: TrainingFault.otherEncoder(model: "Models/jarvis.safetensors")) {
        try Improver.check(settings)
      }
    }
  }

  @Test func falseAlarmsAreRemovedAndThePhraseIsStillDetected() throws {
    var small = TrainingSettings(phrase: "jarvis")
    small.steps = 160
    small.networks = 1
    small.batchSize = 32
    small.syntheticPositives = 120
    small.syntheticNegatives = 60
    small.keywordRenderings = 240
    let first = try Trainer.train(small, name: "jarvis", command: "hotword train jarvis")
    let folder = Folder()
    let path = "\(folder.path)/jarvis.safetensors"
    try first.write(to: path)
    let synthesizer = try Synthesizer()
    func said(_ text: String, _ voice: String) -> [Int16] {
      let speech = synthesizer.speak(text, SynthesisVoice(.espeak(voice))).map { $0 * 0.5 }
      let before = max(0, ClipCutter.before - speech.count)
      let after = max(0, ClipCutter.after + ClipCutter.before - before - speech.count)
      return Level.integers(
        [Float](repeating: 0, count: before) + speech + [Float](repeating: 0, count: after))
    }
    // False alarms by a similar name over several weeks.
    let given = [
      "en-us+m1", "en-us+f3", "en-gb+m2", "en-gb-scotland+m5", "en+f4", "en-us+m6", "en+m8", "en+f1",
    ]
    for (index, voice) in given.enumerated() {
      try folder.add(said("Travis", voice), to: "alarms", at: Double(index) * 3600)
    }
    var settings = ImprovementSettings(first.model, path: path)
    settings.falseAlarms = ["\(folder.path)/alarms"]
    settings.training.steps = 120
    settings.training.batchSize = 32
    settings.training.syntheticPositives = 120
    settings.training.syntheticNegatives = 60
    settings.training.keywordRenderings = 240
    let next = try Improver.improve(settings, name: "jarvis", command: "hotword train --improve jarvis")
    let others = ["en-us+m3", "en-us+f2", "en+klatt2", "en-gb-scotland+f1"]
    func scores(_ text: String, _ model: HotwordModel) -> [Double] {
      others.map { Evaluator.highest(said(text, $0), model)?.score ?? 0 }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    // How far scores are above 0.5, in the unit of the networks' sum.
    func level(_ text: String, _ model: HotwordModel) -> Double {
      mean(scores(text, model).map { log(max($0, 1e-9) / (1 - $0)) }) / model.decision.scale
    }
    let old = first.model
    let new = next.trained.model
    #expect(mean(scores("Travis", new)) < 0.6 * mean(scores("Travis", old)) + 0.02)
    #expect(mean(scores("jarvis", new)) > 0.7 * mean(scores("jarvis", old)))
    #expect(level("jarvis", new) - level("Travis", new) > level("jarvis", old) - level("Travis", old) + 1)
    #expect(mean(scores("jarvis", new)) > 2 * mean(scores("Travis", new)))
    #expect(next.comparison.rows.first?.total == 8 - next.trained.leftOut.count, "\(next.trained.leftOut)")
    #expect(next.comparison.hasEvaluationModels)
    #expect(next.trained.card.contains("## Compared with the previous version"))
    #expect(next.trained.card.contains("## Previous versions"))
    let weight = SecondStageTrainer.weight(isJoined: true)
    #expect(old.secondStage?.weight == weight && new.secondStage?.weight == weight)
    #expect(new.training["before"]?.array?.count == 1)
    try next.write(to: path)
    #expect(try HotwordModel(reading: path) == new)
    #expect(try HotwordModel(reading: TrainedModel.previousPath(for: path)) == old)
    #expect(ModelStore(folders: [folder.path]).list().map(\.name) == ["jarvis"])
  }
}
