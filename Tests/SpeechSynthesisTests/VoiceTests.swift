import AudioCapture
import PCM
import Platform
import SpeechSynthesis
import TestServers
import Testing

@Suite(.limited) struct VoiceTests {
  private static func fault(_ voice: any SpeechVoice, isCancelled: Bool = false) -> SpeechFault? {
    do throws(SpeechFault) {
      _ = try voice.say("hello", isCancelled: { isCancelled })
      return nil
    } catch {
      return error
    }
  }

  private static func seconds(_ samples: [Int16]) -> Double { AudioFormat.seconds(samples.count) }

  @Test func espeakSpeaksInProcess() throws {
    let said = try EspeakVoice().say("The kitchen light is on.", isCancelled: { false })
    #expect((0.8...3).contains(Self.seconds(said)))
    #expect(Level.active(Level.floats(said)) > 0.02)
  }

  @Test func rateAndPitchChangeTheSpeech() throws {
    let text = "The kitchen light is on."
    let plain = try EspeakVoice("en-us").say(text, isCancelled: { false })
    let slow = try EspeakVoice("en-us", rate: 90).say(text, isCancelled: { false })
    let low = try EspeakVoice("en-us", pitch: 10).say(text, isCancelled: { false })
    let high = try EspeakVoice("en-us", pitch: 90).say(text, isCancelled: { false })
    #expect(Self.seconds(slow) > 1.3 * Self.seconds(plain))
    #expect(Self.crossings(high) > 1.1 * Self.crossings(low))
  }

  /// How often a second the sign changes of what lies below 400 Hz, roughly.
  private static func crossings(_ samples: [Int16]) -> Double {
    let window = 40
    var sum = 0
    var smooth: [Int] = []
    for (index, sample) in samples.enumerated() {
      sum += Int(sample) - (index >= window ? Int(samples[index - window]) : 0)
      if abs(sum) > 4_000 { smooth.append(sum) }
    }
    return Double(zip(smooth, smooth.dropFirst()).count { ($0 < 0) != ($1 < 0) }) / seconds(samples)
  }

  @Test(arguments: ["xx-nosuch", "en-us+nosuch", "en-us+", "en-us+../../en"])
  func aMissingVoiceIsRejected(_ name: String) {
    #expect(throws: SpeechFault.noVoice(name)) { try EspeakVoice(name) }
  }

  @Test func variantsAndLanguagesSpeakDifferently() throws {
    let text = "one two three"
    let plain = try EspeakVoice("en-us").say(text, isCancelled: { false })
    #expect(try EspeakVoice("en-us+f2").say(text, isCancelled: { false }) != plain)
    #expect(try EspeakVoice("de").say(text, isCancelled: { false }) != plain)
  }

  @Test(arguments: ["", " \n\t", "\u{1}50R\u{0}"])
  func aTextWithoutWordsIsNotAnError(_ text: String) throws {
    #expect(try Self.seconds(EspeakVoice().say(text, isCancelled: { false })) < 5)
  }

  @Test func espeakCanBeCancelled() throws {
    #expect(Self.fault(try EspeakVoice(), isCancelled: true) == .cancelled)
  }

  @Test func aCommandReadsTheTextAndPrintsAWAV() throws {
    let header = WAVHeader(channels: 2, sampleRate: 48_000, dataLength: nil).encoded()
    let octal = header.map { "\\0" + String($0, radix: 8) }.joined()
    let line = "read text; test \"$text\" = hello || exit 1; printf '%b' '\(octal)'; head -c 192000 /dev/zero"
    let said = try CommandVoice(line).say("hello", isCancelled: { false })
    #expect(said.count == 16_000)
    #expect(said.allSatisfy { $0 == 0 })
  }

  @Test func failuresOfACommandAreReported() {
    #expect(
      Self.fault(CommandVoice("echo broken >&2; exit 3"))
        == .failed(command: "echo", status: 3, detail: "broken"))
    #expect(Self.fault(CommandVoice("kill -9 $$")) == .killed(command: "kill", signal: 9))
    #expect(Self.fault(CommandVoice("echo text")) == .notAudio(command: "echo"))
    #expect(Self.fault(CommandVoice("true")) == .notAudio(command: "true"))
    #expect(
      Self.fault(CommandVoice("sleep 30", timeout: 0.3)) == .timedOut(command: "sleep", seconds: 0.3))
    #expect(Self.fault(CommandVoice("sleep 30"), isCancelled: true) == .cancelled)
  }

  @Test(arguments: Sound.allCases)
  func soundsBeginAndEndInSilenceAndAreNotLoud(_ sound: Sound) {
    let samples = sound.samples
    #expect((0.1...4).contains(Self.seconds(samples)))
    #expect(abs(Int(samples[0])) < 100 && abs(Int(samples[samples.count - 1])) < 100)
    #expect((4_000...8_192).contains(samples.map { abs(Int($0)) }.max() ?? 0))
  }
}
