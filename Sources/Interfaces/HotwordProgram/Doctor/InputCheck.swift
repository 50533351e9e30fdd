import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import SoundCheck

/// Listens for some seconds: the format of the input, its sound quality, and the scores of the hotwords.
struct InputCheck {
  let input: InputName
  /// nil if no model could be loaded.
  let spotter: KeywordSpotter?
  /// Whether a person can be asked to speak.
  let isAttended: Bool
  let loop: ListeningLoop

  private static let quietSeconds = 2.0
  private static let speechSeconds = 5.0
  /// The longest part of a recording that is checked.
  private static let recordingSeconds = 120.0
  private static let channelSeconds = 0.5

  /// The result of some seconds of listening.
  private struct Observation {
    var meter = SoundMeter()
    var overruns = 0
    var lost = 0
    var isLost = false
    /// The highest score of each hotword.
    var scores: [Double] = []
  }

  func run() -> [Finding] {
    do {
      var findings = [try shape()]
      try open()
      defer { loop.close() }
      var quiet: SoundMeasure?
      if isAttended {
        Log.note("be quiet for two seconds …")
        quiet = try listen(Self.quietSeconds).meter.measure
        Log.note("now say \(phrases) once or twice, from where you usually speak …")
      }
      let observation = try listen(input.isDevice ? Self.speechSeconds : Self.recordingSeconds)
      var measure = observation.meter.measure
      if let quiet, quiet.seconds > 0 { measure.noiseFloor = quiet.noiseFloor }
      findings += sound(measure, observation) + hotwords(observation)
      return findings + (try deadChannels())
    } catch {
      return [.fault("input", error)]
    }
  }

  private func open(channel: Int? = nil) throws {
    try StandardError.silenced {
      try loop.listen { [input] () throws(CaptureFault) in try input.open(channel: channel) }
    }
  }

  private var phrases: String {
    let phrases = (spotter?.keywords ?? []).map { "\"\($0.phrase)\"" }
    return phrases.isEmpty ? "something" : phrases.joined(separator: " and ")
  }

  /// The rate and channel count of the input.
  private func shape() throws -> Finding {
    guard let (rate, channels) = try format() else { return .ok("input", "standard input") }
    let words = channels == 1 ? "1 channel" : "\(channels) channels"
    let isNative = rate == AudioFormat.sampleRate && channels == 1
    return .ok(
      "input", "\(input), \(rate) Hz, \(words)" + (isNative ? "" : ", converted to 16000 Hz, 1 channel"),
      [JSON.Member("rate", .number(Double(rate))), JSON.Member("channels", .number(Double(channels)))])
  }

  private func format() throws(CaptureFault) -> (rate: Int, channels: Int)? {
    switch input {
    case .alsa(let name):
      let result: Result<(rate: Int, channels: Int), CaptureFault> = StandardError.silenced {
        do throws(CaptureFault) {
          let (rate, channels) = try AlsaDevices.probe(name)
          return .success((rate, channels))
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    case .file(let path):
      if Files.isSpecial(path), !Files.isDirectory(path) { return nil }
      let file = try SoundFile(path)
      return (file.sampleRate, file.channels)
    case .standardInput: return nil
    }
  }

  /// Listens for `seconds`, or to the end of the input.
  private func listen(_ seconds: Double) throws -> Observation {
    var observation = Observation()
    observation.scores = (spotter?.keywords ?? []).map { _ in 0 }
    spotter?.reset()
    func detect(_ samples: [Int16]) {
      guard let spotter else { return }
      _ = samples.withUnsafeBufferPointer { spotter.push($0) }
      for index in observation.scores.indices {
        guard let step = spotter.score(of: index) else { continue }
        observation.scores[index] = max(observation.scores[index], step.score)
      }
    }
    var left = AudioFormat.samples(seconds)
    _ = try loop.forEachFrame { frame in
      let read = frame.read
      if read.events.contains(.overrun) { observation.overruns += 1 }
      observation.lost += read.gap
      left -= read.gap + read.count
      if read.count > 0 {
        observation.meter.push(frame.samples[..<read.count])
        detect(frame.samples)
      }
      observation.isLost = read.events.contains(.lost)
      return left > 0 && !observation.isLost
    }
    let silence = [Int16](repeating: 0, count: AudioFormat.frameLength)
    for _ in 0..<(spotter?.tail ?? 0) { detect(silence) }
    return observation
  }

  private func sound(_ measure: SoundMeasure, _ observation: Observation) -> [Finding] {
    var findings: [Finding] = []
    if observation.isLost {
      findings.append(.fault("sound", "the device failed; disconnect and reconnect it", .unavailable))
    }
    let flaws = measure.flaws(speech: isAttended)
    for flaw in flaws {
      findings.append(
        flaw.isFatal ? .fault("sound", flaw.message, .unavailable) : .warning("sound", flaw.message))
    }
    if !flaws.contains(where: \.isFatal) {
      let decibels = SoundFlaw.decibels
      findings.insert(
        .ok(
          "sound",
          "noise floor \(decibels(measure.noiseFloor)) dBFS, loud parts \(decibels(measure.level)), "
            + "peak \(decibels(measure.peak))",
          [
            JSON.Member("noiseFloor", .rounded(measure.noiseFloor, digits: 1)),
            JSON.Member("level", .rounded(measure.level, digits: 1)),
            JSON.Member("peak", .rounded(measure.peak, digits: 1)),
            JSON.Member("clipped", .rounded(measure.clipped, digits: 4)),
            JSON.Member("offset", .rounded(measure.offset, digits: 4)),
            JSON.Member("seconds", .rounded(measure.seconds)),
          ]), at: 0)
    }
    if observation.overruns > 0 {
      findings.append(
        .warning(
          "sound",
          "\(observation.overruns) overruns, \(JSON.rounded(AudioFormat.seconds(observation.lost))) s lost; see 'real time' below"
        ))
    }
    return findings
  }

  private func hotwords(_ observation: Observation) -> [Finding] {
    zip(spotter?.keywords ?? [], observation.scores).map { keyword, score in
      let figures = [
        JSON.Member("keyword", .string(keyword.name)), JSON.Member("score", .rounded(score)),
        JSON.Member("threshold", .rounded(keyword.threshold)),
      ]
      let text =
        "\"\(keyword.phrase)\" scored \(percent(score)), the threshold is \(percent(keyword.threshold))"
      if score >= keyword.threshold { return .ok("hotword", text, figures) }
      let fix =
        isAttended
        ? "fix the sound first, then raise --sensitivity, or 'hotword enroll' your voice"
        : "say the hotword meanwhile, or give a recording of it"
      return .warning("hotword", "\(text); \(fix)", figures)
    }
  }

  private func percent(_ part: Double) -> String { "\(JSON.rounded(100 * part, digits: 0)) %" }

  /// Silent channels among several.
  private func deadChannels() throws -> [Finding] {
    guard let (_, channels) = try format(), channels > 1 else { return [] }
    var dead: [Int] = []
    for channel in 0..<channels {
      try open(channel: channel)
      let check = InputCheck(input: input, spotter: nil, isAttended: false, loop: loop)
      let seconds = input.isDevice ? Self.channelSeconds : Self.recordingSeconds
      if try check.listen(seconds).meter.measure.isDead { dead.append(channel) }
      loop.close()
    }
    guard !dead.isEmpty, dead.count < channels else { return [] }
    let names = dead.map { "\($0)" }.joined(separator: " and ")
    return [
      .warning(
        "channels",
        "\(dead.count == 1 ? "channel \(names) is" : "channels \(names) are") silent (of channels 0 to \(channels - 1)), which lowers the "
          + "level of the mix; "
          + (input.isDevice
            ? "select the others in the sound card's mixer or ALSA's configuration"
            : "record the others only"))
    ]
  }
}
