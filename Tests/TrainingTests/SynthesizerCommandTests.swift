import PCM
import Platform
import TestServers
import Testing
import Training

/// A program of the user's speaks; here a shell script that copies a recording.
@Suite(.limited) struct SynthesizerCommandTests {
  private let folder = temporaryFolder()
  private static let recording = String(
    #filePath.dropLast("/Tests/TrainingTests/SynthesizerCommandTests.swift".count)
      + "/Examples/turn-on-the-kitchen-light.wav")

  private func copying(_ more: String = "") -> SynthesizerCommand {
    SynthesizerCommand(
      """
      while IFS="$(printf '\\t')" read -r file voice rate text; do
      echo "$voice $rate $text" >>\(folder)/texts
      \(more)
      cp \(Self.recording) "$file"
      done
      """)
  }

  private func texts() throws -> [Substring] {
    String(decoding: try Files.read("\(folder)/texts"), as: UTF8.self).split(separator: "\n")
  }

  @Test func eachLineHasAFileAVoiceARateAndAText() throws {
    let spoken = try copying().speak([
      .init("hey jupiter!", voice: 3, rate: 1.1), .init("athena", voice: 77, rate: 0.8),
    ])
    #expect(try texts() == ["3 1.10 hey jupiter!", "77 0.80 athena"])
    #expect(spoken.count == 2 && spoken[0] == spoken[1])
    #expect(AudioFormat.seconds(spoken[0].count) > 8)
  }

  @Test func theProgressReachesAllOfManyTexts() throws {
    var parts: [Double] = []
    let spoken = try copying().speak((0..<130).map { .init("text \($0)", voice: 0, rate: 1) }) {
      parts.append($0)
    }
    #expect(spoken.allSatisfy { !$0.isEmpty } && spoken.count == 130)
    #expect(try texts().last == "0 1.00 text 129")
    #expect(parts == parts.sorted() && parts.contains(100 / 130) && parts.last == 1)
  }

  @Test func aTextThatIsNotSpokenIsEmpty() throws {
    let spoken = try copying("[ \"$text\" != skipped ] || continue").speak([
      .init("skipped", voice: 0, rate: 1), .init("said", voice: 1, rate: 1),
    ])
    #expect(spoken[0].isEmpty && !spoken[1].isEmpty)
  }

  @Test func aProgramThatFailsIsReportedWithItsLastError() {
    for (line, reason) in [
      ("echo 'no voice here' >&2; exit 3", "no voice here"), ("exit 3", "it ended with status 3"),
      ("kill -9 $$", "it was ended by signal 9"),
      ("cat >/dev/null", "it wrote no audio to the files that its input names"),
    ] {
      #expect(
        throws: TrainingFault.synthesizerFailed(command: Subprocess.name(ofShell: line), reason: reason)
      ) {
        try SynthesizerCommand(line).speak([.init("athena", voice: 0, rate: 1)])
      }
    }
  }

  @Test func theVoicesOfOtherEnginesSpeakTheRest() throws {
    let texts: [(input: SynthesisInput, voice: SynthesisVoice)] = [
      (.text("athena"), SynthesisVoice(.espeak("en-us"))), (.text("athena"), SynthesisVoice(.command(5))),
      (.sounds("k@mpj'u:t3"), SynthesisVoice(.espeak("en-us"))),
    ]
    let spoken = try Synthesizer().speak(texts, command: copying())
    #expect(try self.texts() == ["5 1.00 athena"])
    #expect(spoken.map { AudioFormat.seconds($0.count) > 7 } == [false, true, false])
    #expect(spoken.allSatisfy { !$0.isEmpty })
  }
}
