import Corpora
import Detection
import Evaluation
import Glibc
import PCM
import Platform
import TestServers
import Testing
import Training

/// A complete small training from text alone; serialized because of the synthesizer's global state.
@Suite(.limited(minutes: 15), .serialized) struct TrainerTests {
  private static func small(_ phrase: String) throws -> TrainingSettings {
    var settings = TrainingSettings(phrase: phrase)
    settings.steps = 240
    settings.networks = 1
    settings.batchSize = 32
    settings.syntheticPositives = 160
    settings.syntheticNegatives = 320
    settings.keywordRenderings = 320
    settings.shape = try NetworkShape(
      inputs: Phoneme.allCases.count, stemKernel: 3, stride: 1, channels: 32, dilations: [1, 2, 4, 8])
    return settings
  }

  @Test func aPhraseAloneTrainsAModelThatDetectsIt() throws {
    let trained = try Trainer.train(
      try Self.small("hello computer"), name: "hello_computer", command: "hotword train 'hello computer'")
    let model = trained.model
    #expect(model.decision.threshold == 0.5)
    #expect(trained.report.scores.areSynthetic)
    #expect(trained.card.contains("shared encoder") && trained.card.contains("joined from pieces"))
    #expect(trained.card.contains("- parts of the phrase: ") && trained.card.contains("- similar phrases: "))
    #expect(model.training["heldOut"]?["similar"]?["parts"]?["spoken"]?.number ?? 0 >= 30)
    #expect(trained.card.contains("- licence: of each source in training/encoder.md"))
    let synthesizer = try Synthesizer()
    func scores(_ texts: [String], _ voices: [SynthesisVoice]) -> [Float] {
      texts.flatMap { text in
        voices.map { voice in
          let said = synthesizer.speak(text, voice)
          let samples =
            [Float](repeating: 0, count: 9600) + said.map { $0 * 0.5 } + [Float](repeating: 0, count: 9600)
          return Evaluator.scores(Level.integers(samples), model).max() ?? 0
        }
      }
    }
    // Voices that are not in the training data.
    let voices = ["en-us+m4", "en-us+f2", "en+m7", "en-us+klatt2", "en-gb-scotland+f4"].map {
      SynthesisVoice(.espeak($0))
    }
    let spoken = scores(["hello computer"], voices)
    let others = scores(
      ["good morning", "the weather is nice", "seven", "open the window", "butterfly"], voices)
    // The small network is not a product, but its scores of the phrase must exceed those of other words.
    let median = spoken.sorted()[2]
    #expect(others.count { $0 >= median } <= 1, "\(spoken) against \(others)")
    #expect(spoken.count { $0 >= 0.5 } >= 3, "\(spoken)")
  }

  /// The transcribed speech is English, so phrases of other languages are not joined from it, and their second stage tells less.
  @Test func aPhraseOfAnotherLanguageIsNotJoinedAndItsSecondStageWeighsLess() throws {
    var settings = try Self.small("guten morgen")
    settings.language = "de"
    settings.steps = 30
    settings.syntheticPositives = 40
    settings.syntheticNegatives = 40
    settings.keywordRenderings = 60
    let trained = try Trainer.train(
      settings, name: "guten_morgen", command: "hotword train --language de 'guten morgen'")
    let weight = SecondStageTrainer.weight(isJoined: false)
    #expect(trained.model.secondStage?.weight == weight)
    #expect(weight < SecondStageTrainer.weight(isJoined: true))
    #expect(!trained.card.contains("joined from pieces"))
  }

  /// Those with recordings did not learn from joined phrases, those from English text did.
  @Test(arguments: ["alexa", "computer", "jarvis", "smart_mirror", "hey_jarvis", "okay_nabu"])
  func shippedModelsHaveTheSecondStageWeightsThatTrainingGives(_ name: String) throws {
    let model = try HotwordModel(reading: "Models/\(name).safetensors")
    let recordings = try #require(model.training["recordings"]?.number)
    #expect(model.secondStage?.weight == SecondStageTrainer.weight(isJoined: recordings == 0))
  }

  @Test func invalidSettingsAreRejectedInAdvance() {
    var settings = TrainingSettings(phrase: "  ")
    #expect(throws: TrainingFault.emptyPhrase) { try Trainer.words(of: settings) }
    settings.phrase = "jarvis"
    settings.negatives = ["/nowhere/at/all"]
    #expect(throws: CorpusFault.noFolder("/nowhere/at/all")) { try Trainer.words(of: settings) }
    settings.negatives = []
    settings.synthesis = false
    #expect(throws: TrainingFault.noPositives) { try Trainer.words(of: settings) }
  }
}
