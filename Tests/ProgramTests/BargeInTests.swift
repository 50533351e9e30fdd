import AudioCapture
import Platform
import Testing

/// A room with a loudspeaker and a microphone in it: a sink of a private PulseAudio and what is heard of it.
private enum Room {
  static let isThere = (try? Program.shell("command -v pulseaudio && command -v paplay").code) == 0

  /// Runs `line` in the room; it hears `alsa:mic` and plays on `alsa:speaker`.
  ///
  /// - Parameter others: recordings that others play there, and when, in seconds.
  static func run(_ line: String, others: [(at: Double, path: String)]) throws -> Program.Outcome {
    let folder = Program.temporaryFolder()
    let devices = [("speaker", "room"), ("mic", "room.monitor")].map { name, device in
      "pcm.\(name) { type pulse server \"unix:\(folder)/native\" device \"\(device)\" }\n"
    }
    try Files.write(Array(devices.joined().utf8), to: "\(folder)/asound.conf")
    let plays = others.map { "(sleep \($0.at); paplay -d room \($0.path)) &\n" }.joined()
    return try Program.shell(
      """
      export XDG_RUNTIME_DIR=\(folder) PULSE_SERVER=unix:\(folder)/native ALSA_CONFIG_PATH=\(folder)/asound.conf
      pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --realtime=no \
      -L "module-native-protocol-unix socket=\(folder)/native auth-anonymous=1" \
      -L "module-null-sink sink_name=room norewinds=1 rate=16000 channels=1" >\(folder)/log 2>&1 &
      server=$!
      trap 'kill $server' EXIT
      while ! pactl info >\(folder)/log 2>&1; do sleep 0.1; done
      \(plays)
      \(line)
      """)
  }
}

/// The assistant speaks while it listens.
@Suite(.serialized, .enabled(if: Room.isThere, "no pulseaudio to play and hear with"))
struct BargeInTests {
  /// A reply that holds the hotword so that it would wake: see the first test.
  private static let reply =
    "The computer says that the computer in the kitchen is a computer, and that is all about computers. Computer."

  private func events(_ reply: String, seconds: Int, others: [(at: Double, path: String)]) throws -> [JSON] {
    let act = try Program.file("reply", Array(reply.utf8))
    let outcome = try Room.run(
      """
      timeout --preserve-status -s INT \(seconds) hotword run --input alsa:mic --player alsa:speaker \
      --speak espeak:en-gb --events json --recognizer 'command:cat >/dev/null; echo lights on' \
      --handler 'command:cat \(act)'
      """, others: others)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try outcome.objects
  }

  private func times(_ name: String, _ events: [JSON]) -> [Double] {
    events.filter { $0["event"]?.string == name }.compactMap { $0["time"]?.number }
  }

  @Test(
    .enabled(
      if: (try? Program.shell("command -v espeak-ng").code) == 0, "no espeak-ng to speak the reply with"))
  func theReplysOwnWordsWouldWakeIt() throws {
    let path = "\(Program.temporaryFolder())/reply.wav"
    let line =
      "espeak-ng -v en-gb -w \(path) \(Program.quoted(Self.reply)) && hotword detect --model computer \(path)"
    #expect(try Program.shell(line).lines.count >= 2)
  }

  @Test func theReplysOwnWordsWakeNothing() throws {
    let events = try events(Self.reply, seconds: 13, others: [(1, try Recordings.wave(Recordings.order))])
    #expect(times("wake", events).count == 1)
    #expect(times("reply", events).count == 1)
    #expect(times("error", events).isEmpty)
  }
}
