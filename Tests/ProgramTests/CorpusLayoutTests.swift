import AudioCapture
import PCM
import Platform
import TestServers
import Testing

/// `train` and `evaluate` on corpora as they are published, spoken by flite.
@Suite(
  .limited(minutes: 10), .needsProgram,
  .enabled(if: Flite.isThere, "needs flite"))
struct CorpusLayoutTests {
  private static let voices = ["slt", "rms", "awb", "kal"]
  private static let sentences = ["Computer.", "Good morning, everybody.", "The computer is slow."]

  /// A folder with twelve clips, `VOICE-NUMBER.wav`, of four speakers and three sentences.
  private static let clips: String = {
    let folder = Program.temporaryFolder()
    for voice in voices {
      for (number, sentence) in sentences.enumerated() {
        _ = try? Program.shell("flite -voice \(voice) -t '\(sentence)' -o \(folder)/\(voice)-\(number).wav")
      }
    }
    return folder
  }()

  private func commonVoice() throws -> String {
    let root = Program.temporaryFolder()
    _ = try Program.shell("cp -r \(Self.clips) \(root)/clips")
    var table = "locale\tclient_id\tpath\tsentence\n"
    for voice in Self.voices {
      for (number, sentence) in Self.sentences.enumerated() {
        table += "en\tclient-\(voice)\t\(voice)-\(number).wav\t\(sentence)\n"
      }
    }
    try Files.write(Array(table.utf8), to: "\(root)/validated.tsv")
    return root
  }

  private func speechCommands() throws -> String {
    let root = Program.temporaryFolder()
    for (number, word) in ["computer", "morning"].enumerated() {
      try Files.createFolder("\(root)/\(word)")
      for voice in Self.voices {
        _ = try Program.shell("cp \(Self.clips)/\(voice)-\(number).wav \(root)/\(word)/\(voice)_nohash_0.wav")
      }
    }
    try Files.createFolder("\(root)/_background_noise_")
    var random = RandomSource(seed: 5)
    let rain = (0..<AudioFormat.samples(5)).map { _ in Int16(random.next() % 2001) - 1000 }
    try AudioFile.write(rain, to: "\(root)/_background_noise_/rain.wav")
    return root
  }

  /// One recording of each speaker with all three sentences, cut by `segments`.
  private func kaldi() throws -> String {
    let root = Program.temporaryFolder()
    var (scp, segments, text, speakers) = ("", "", "", "")
    for voice in Self.voices {
      var samples: [Int16] = []
      for (number, sentence) in Self.sentences.enumerated() {
        let start = AudioFormat.seconds(samples.count)
        samples += try AudioFile.read("\(Self.clips)/\(voice)-\(number).wav")
        segments += "\(voice)\(number) \(voice) \(start) \(AudioFormat.seconds(samples.count))\n"
        text += "\(voice)\(number) \(sentence)\n"
        speakers += "\(voice)\(number) \(voice)\n"
      }
      try AudioFile.write(samples, to: "\(root)/\(voice).wav")
      scp += "\(voice) \(voice).wav\n"
    }
    for (name, table) in [("wav.scp", scp), ("segments", segments), ("text", text), ("utt2spk", speakers)] {
      try Files.write(Array(table.utf8), to: "\(root)/\(name)")
    }
    return root
  }

  private func evaluate(_ folder: String, _ more: [String] = []) throws -> JSON {
    let words = ["evaluate", "--model", "computer", "--positives", folder, "--negatives", folder, "--json"]
    let outcome = try Program.run(words + more)
    return try #require(try outcome.objects.first, "\(outcome.errors)")
  }

  @Test func eachLayoutIsRecognizedAndEvaluated() throws {
    for (folder, sources) in [
      (try commonVoice(), 1), (try speechCommands(), 2), (try kaldi(), 1),
    ] {
      let report = try evaluate(folder)
      #expect(report["conditions"]?.array?.first?["recordings"] == 4, "\(report)")
      #expect(report["sources"]?.array?.count == sources)
      #expect(
        report["sources"]?.array?.compactMap { $0["files"]?.number }.reduce(0, +) == Double(3 + sources))
      #expect(report["calibrated"]?["conditions"]?.array?.first?["missed"]?.number ?? 9 <= 2)
    }
    let noise = try speechCommands()
    #expect(try evaluate(noise, ["--noise", noise])["conditions"]?.array?.count == 2)
  }

  @Test func aModelIsTrainedOnACorpus() throws {
    let folder = try commonVoice()
    let output = "\(Program.temporaryFolder())/short.safetensors"
    let evaluation = Program.temporaryFolder()
    let outcome = try Program.run(
      [
        "train", "computer", "--positives", folder, "--negatives", folder, "--no-synthesis", "--steps", "10",
        "--output", output, "--evaluation", evaluation, "--json",
      ], timeout: 300)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let held = String(decoding: try Files.read("\(evaluation)/short.held-out"), as: UTF8.self).split(
      separator: "\n")
    #expect(
      (1...3).contains(held.count) && held.allSatisfy { $0.hasPrefix(folder) && Files.exists(String($0)) },
      "\(held)")
    let scored = try Program.run(["score", "--model", "\(evaluation)/short.safetensors", String(held[0])])
    #expect(scored.code == 0 && scored.output.contains("\"peak\""), "\(scored)")
    let card = String(decoding: try Files.read(output.replacing(".safetensors", with: ".md")), as: UTF8.self)
    #expect(card.contains("- 4 recordings of the phrase from 4 sessions"), "\(card)")
  }

  @Test func unusableCorporaAreReported() throws {
    let piped = Program.temporaryFolder()
    try Files.write(Array("a sox a.sph -t wav - |\n".utf8), to: "\(piped)/wav.scp")
    try Files.write(Array("a computer\n".utf8), to: "\(piped)/text")
    let voice = try commonVoice()
    for (words, part) in [
      (["evaluate", "--model", "computer", "--positives", piped, "--negatives", voice], "wav.scp, line 1"),
      (["evaluate", "--model", "jarvis", "--positives", voice, "--negatives", voice], "\"jarvis\""),
      (["train", "computer", "--positives", piped, "--output", "\(piped)/x.safetensors"], "wav.scp, line 1"),
    ] {
      let outcome = try Program.run(words)
      #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.split(separator: "\n").last?.contains(part) == true, "\(outcome.errors)")
    }
    #expect(!Files.exists("\(piped)/x.safetensors"))
  }
}
