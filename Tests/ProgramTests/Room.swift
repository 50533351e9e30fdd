import AudioCapture
import PCM
import Platform

/// A simulated room with a loudspeaker and a microphone: two sinks of a private PulseAudio server.
///
/// The microphone records what the loudspeaker plays, delayed and attenuated, mixed with other recordings. Sound does not slow down
/// when the processors are busy, so the server, its players and its recorder have a higher priority where the system allows it.
struct Room {
  static let isThere = (try? Program.shell("command -v pulseaudio && command -v paplay").code) == 0

  /// A recording that is played in the room besides the loudspeaker.
  struct Sound {
    let path: String
    /// Seconds after `moment`.
    let delay: Double
    let moment: Moment
  }

  enum Moment {
    case start
    /// The first event of this name, or the one with this number.
    case event(String, number: Int = 1)
  }

  /// What the service reported and what was played.
  struct Visit {
    let story: Story
    /// The samples that the loudspeaker played.
    let spoken: [Int16]
    /// When each sound began, in seconds of `spoken`, with a delay of a fraction of a second; nil for sounds that were not played.
    let began: [Double?]
  }

  /// The volume of the loudspeaker at the microphone, in percent of PulseAudio's cubic scale: 50 is -18 dB.
  var echo = 50
  /// Milliseconds from the loudspeaker's sound to its echo at the microphone.
  var delay = 60

  /// Runs `hotword run OPTIONS` in the room until the event `last` is reported, for up to `limit` seconds.
  ///
  /// - Parameter sounds: what is played besides the loudspeaker.
  func run(
    _ options: [String], sounds: [Sound], last: (event: String, number: Int), limit: Double = 60
  ) throws -> Visit {
    let folder = Program.temporaryFolder()
    let devices = [("speaker", "speaker"), ("mic", "room.monitor")].map { name, device in
      "pcm.\(name) { type pulse server \"unix:\(folder)/native\" device \"\(device)\" }\n"
    }
    try Files.write(Array(devices.joined().utf8), to: "\(folder)/asound.conf")
    let plays = sounds.enumerated().map { index, sound in
      var wait = "true"
      if case .event(let name, let number) = sound.moment { wait = "comes \(name) \(number)" }
      return
        "(\(wait) && sleep \(sound.delay) && date +%s.%N >\(folder)/\(index) && \(Self.highPriority) paplay -d room \(sound.path) 2>>\(folder)/log) &"
    }
    let words = (options + ["--input", "alsa:mic", "--player", "alsa:speaker", "--events", "json"])
      .map(Program.quoted).joined(separator: " ")
    let outcome = try Program.shell(
      """
      cd \(folder); export XDG_RUNTIME_DIR=\(folder) PULSE_SERVER=unix:\(folder)/native ALSA_CONFIG_PATH=\(folder)/asound.conf
      \(Self.server(folder, ["module-null-sink sink_name=speaker \(Self.mono)", "module-null-sink sink_name=room \(Self.mono)", "module-loopback source=speaker.monitor sink=room latency_msec=\(delay)"])) &
      server=$!
      trap 'touch \(folder)/over; kill $recorder; wait $recorder; kill $server' EXIT
      while ! pactl info >log 2>&1; do sleep 0.1; done
      while ! input=$(pactl list short sink-inputs | grep -o '^[0-9]*'); do sleep 0.1; done
      pactl set-sink-input-volume $input \(echo)%
      cd \(Program.quoted(Program.root)); touch \(folder)/events
      comes() {
        until [ -e \(folder)/over ] || [ $(grep -c "\\"event\\":\\"$1\\"" \(folder)/events) -ge $2 ]; do sleep 0.1; done
        [ ! -e \(folder)/over ]
      }
      date +%s.%N >\(folder)/start
      \(Self.highPriority) parecord -d speaker.monitor --raw --format=s16le --rate=16000 --channels=1 --latency-msec=20 \
      >\(folder)/spoken 2>>\(folder)/log &
      recorder=$!
      \(plays.joined(separator: "\n"))
      timeout --preserve-status -s INT \(limit) hotword run \(words) >\(folder)/events &
      service=$!
      (comes \(last.event) \(last.number) && sleep 0.5 && kill -INT $service) &
      wait $service; code=$?
      cat \(folder)/events; exit $code
      """, timeout: limit + 120)
    func time(_ file: String) -> Double? {
      (try? Files.read("\(folder)/\(file)")).flatMap {
        Double(String(decoding: $0.dropLast(), as: UTF8.self))
      }
    }
    let start = time("start") ?? 0
    return Visit(
      story: try Story(outcome), spoken: try Recordings.samples(raw: "\(folder)/spoken"),
      began: sounds.indices.map { time("\($0)").map { $0 - start } })
  }

  /// The beginning of a command whose sound is in real time.
  private static let highPriority = "nice -n -15"

  /// The options of a sink without gaps in the sound.
  static let mono = "norewinds=1 rate=16000 channels=1"

  /// The shell command that runs a sound server with these modules, and the socket `native`, in `folder`.
  static func server(_ folder: String, _ modules: [String]) -> String {
    let loads = (modules + ["module-native-protocol-unix socket=\(folder)/native auth-anonymous=1"])
      .map { "-L \"\($0)\"" }
    return """
      \(highPriority) pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --realtime=no \
      \(loads.joined(separator: " ")) >\(folder)/log 2>&1
      """
  }
}

extension Room.Visit {
  /// The stretches in which the loudspeaker played sound, in seconds; pauses shorter than half a second belong to them.
  var speeches: [ClosedRange<Double>] {
    let block = AudioFormat.samples(0.05)
    var found: [ClosedRange<Double>] = []
    for start in stride(from: 0, to: spoken.count - block, by: block)
    where spoken[start..<start + block].contains(where: { abs(Int($0)) > 100 }) {
      let (from, to) = (AudioFormat.seconds(start), AudioFormat.seconds(start + block))
      if let last = found.last, from - last.upperBound < 0.5 {
        found[found.count - 1] = last.lowerBound...to
      } else {
        found.append(from...to)
      }
    }
    return found
  }
}
