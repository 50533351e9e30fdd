import AudioCapture
import Dialogue
import Glibc
import PCM
import Platform
import Recognition
import Service
import TestServers
import Testing
import Understanding

private let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

/// The kitchen noise of the shared recordings, where there are any.
private let noise: String? = {
  let path = getenv("HOTWORD_AUDIO").map { String(cString: $0) } ?? "\(root)/../shared/audio"
  return Files.exists("\(path)/noise/kitchen/kitchen.opus") ? "\(path)/noise/kitchen/kitchen.opus" : nil
}()

private let hasVoices = ["flite", "espeak-ng"].allSatisfy {
  (try? Subprocess(shell: "command -v \($0)").run(timeout: 5).ending) == .exited(0)
}

/// 200 short answers to the questions of `Examples/ride.yaml`, by eight synthetic voices, as the service recognizes them.
@Suite(
  .limited(minutes: 10), .needsOptimization, .serialized,
  .enabled(if: hasVoices, "needs flite and espeak-ng; 'make test' installs them"))
struct ShortAnswerTests {
  /// The turns that lead to a question, and answers to it.
  private static let questions: [(turns: [String], answers: [String])] = [
    (
      ["take me from home to the hotel", "taxi"],
      ["yes", "no", "yes please", "no thanks", "cancel", "stop", "never mind", "yes sure"]
    ),
    (["take me from home to the hotel"], ["taxi", "the limo", "cancel", "never mind"]),
    (
      ["a taxi to the museum please"],
      [
        "home", "the office", "the station", "the airport", "the hotel", "the hospital", "the university",
        "the stadium", "from the hotel", "cancel",
      ]
    ),
    (["I need a taxi from home to the hotel for nine people"], ["two", "four", "six"]),
  ]

  private static let voices: [[String]] =
    ["kal16", "slt", "rms", "awb"].map { ["flite", "-voice", $0, "-o", "FILE", "-t"] }
    + ["en-us+m3", "en-gb+f2", "en-us+f4", "en-gb-scotland+m7"].map {
      ["espeak-ng", "-v", $0, "-s", "150", "-w", "FILE"]
    }

  private struct Counts {
    var right = 0
    var rejected = 0
    var wrong: [String] = []
  }

  private func say(_ text: String, by voice: [String]) throws -> [Float] {
    var template = Array("/tmp/hotword-answer-XXXXXX".utf8CString)
    close(mkstemp(&template))
    let path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    defer { unlink(path) }
    _ = try Subprocess(voice.map { $0 == "FILE" ? path : $0 } + [text]).run(timeout: 20)
    let samples = Level.floats(try AudioFile.read(path))
    let gain = Level.factor(-23) / Level.loudest(samples[...])
    return samples.map { $0 * gain }
  }

  /// The answer between pauses, in `noise` whose loudest part is 12 dB below it; empty for silence.
  private func heard(_ speech: [Float], in noise: [Float], _ random: inout RandomSource) -> [Int16] {
    let (before, after) = (AudioFormat.samples(0.3), AudioFormat.samples(1.3))
    let length = before + speech.count + after
    var samples = (0..<length).map { _ in random.uniform(-2...2) / 32_768 }
    if !noise.isEmpty {
      let start = Int(random.next() % UInt64(noise.count - length))
      let part = noise[start..<start + length]
      let gain = Level.factor(-23 - 12) / Level.loudest(part)
      samples = zip(samples, part).map { $0 + $1 * gain }
    }
    for index in speech.indices { samples[before + index] += speech[index] }
    return Level.integers(samples)
  }

  private func recognized(in noise: [Float]) throws -> Counts {
    let file = try IntentFile(
      parsing: Files.read("\(root)/Examples/ride.yaml"), name: "ride.yaml")
    let recognizer = try PlugIns.recognizer(
      ["combined"], of: KnownSentences(file.withAnswers().withStopPhrases(["stop", "cancel"]))
    ) { _ in }
    var counts = Counts()
    var random = RandomSource(seed: 7)
    for (turns, answers) in Self.questions {
      var dialogue = try DialogueStateMachine(Understander(file))
      for (time, turn) in turns.enumerated() { _ = dialogue.process(turn, at: Double(time)) }
      try #require(!dialogue.expectedAnswers.isEmpty, "\(turns)")
      func meaning(_ text: String) -> String {
        var copy = dialogue
        let result = copy.process(text, at: 2).interpretation
        return "\(copy.state) \(result.slots.map { "\($0.name)=\($0.value)" }) \(result.status)"
      }
      for answer in answers {
        for voice in Self.voices {
          let samples = heard(try say(answer, by: voice), in: noise, &random)
          let session = try recognizer.start(RecognitionRequest(expected: dialogue.expectedAnswers))
          _ = try session.append(samples)
          let found = try session.finish()
          if found.text.isEmpty || found.confidence < 0.5 {
            counts.rejected += 1
          } else if found.text == answer || meaning(found.text) == meaning(answer) {
            counts.right += 1
          } else {
            counts.wrong.append("\(voice[2]): \(answer) → \(found.text)")
          }
        }
      }
    }
    return counts
  }

  @Test func shortAnswersAreRecognized() throws {
    let found = try recognized(in: [])
    print("short answers: \(found.right) right, \(found.rejected) rejected, \(found.wrong.count) wrong")
    #expect(found.right >= 170 && found.wrong.count <= 15, "\(found.wrong.joined(separator: "\n"))")
  }

  @Test(.enabled(if: noise != nil, "no shared recordings; set HOTWORD_AUDIO"))
  func mostShortAnswersAreRecognizedInNoise() throws {
    let kitchen = Level.floats(try AudioFile.read(#require(noise)))
    let found = try recognized(in: kitchen)
    print(
      "short answers, 12 dB: \(found.right) right, \(found.rejected) rejected, \(found.wrong.count) wrong")
    #expect(found.right >= 135 && found.wrong.count <= 40, "\(found.wrong.joined(separator: "\n"))")
  }
}
