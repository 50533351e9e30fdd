import AudioCapture
import Platform
import TestServers
import Testing

/// What is asked for the volume is what comes out of the loudspeaker.
@Suite(.limited, .needsProgram, .serialized) struct VolumeTests {
  /// A voice that says every text as half a second of this level.
  private static let level: Int16 = 10_000

  /// Runs the service on as many orders as there are `texts`, which it hears; what it told, and the levels that it played.
  private func run(_ texts: [String], handler: String) throws -> (story: Story, levels: [Int]) {
    let folder = Program.temporaryFolder()
    try AudioFile.write([Int16](repeating: Self.level, count: 8_000), to: "\(folder)/voice.wav")
    let devices = """
      pcm.nothing { type null }
      pcm.out { type file slave.pcm nothing file "|cat >>\(folder)/out.raw" format raw }
      """
    try Files.write(Array(devices.utf8), to: "\(folder)/asound.conf")
    let recognizer = try ScriptedRecognizer.hearing(texts)
    let line = """
      ALSA_CONFIG_PATH=\(folder)/asound.conf hotword run --input \(try Recordings.orders(texts.count)) \
      --events json --player alsa:out --speak 'command:cat >/dev/null; cat \(folder)/voice.wav' \
      --handler \(Program.quoted(handler)) --recognizer \(Program.quoted(recognizer))
      """
    let outcome = try Program.shell(line, timeout: 120)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    // The program may end before `cat` has written everything.
    let played = "\(folder)/out.raw"
    _ = Waiting.until(within: 10) {
      (try? Recordings.samples(raw: played).count) ?? 0 >= texts.count * 8_000
    }
    let samples = try Recordings.samples(raw: played).map(Int.init)
    var levels: [Int] = []
    for start in stride(from: 0, to: samples.count, by: 8_000) {
      let said = Set(samples[start..<min(start + 8_000, samples.count)])
      levels.append(said.count == 1 ? said.first! : -1)
    }
    return (try Story(outcome), levels)
  }

  private func volumes(_ story: Story) -> [Double] {
    story.all("action").compactMap { $0["action"]?["volume"]?.number }
  }

  @Test func theStandardIntentsChangeWhatIsHeard() throws {
    let texts = ["set the volume to forty percent", "louder", "mute", "unmute", "turn it down by thirty"]
    let (story, levels) = try run(texts, handler: "print")
    #expect(volumes(story) == [40, 50, 0, 50, 20])
    #expect(story.all("action").compactMap { $0["action"]?["type"] }.allSatisfy { $0 == "audio_volume" })
    #expect(levels == [4_000, 5_000, 0, 5_000, 2_000])
  }

  @Test func anActionOfAHandlerChangesItToo() throws {
    let act = #"command:echo '{"reply":"So be it.","actions":[{"type":"audio_volume","volume":"30"}]}'"#
    let (story, levels) = try run(["lights on"], handler: act)
    #expect(story.all("action").first?["action"] == ["type": "audio_volume", "volume": "30"])
    #expect(levels == [3_000])
  }
}
