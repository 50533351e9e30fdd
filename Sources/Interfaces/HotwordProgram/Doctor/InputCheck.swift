import AudioCapture
import Detection
import Glibc
import PCM
import Platform
import SoundCheck

/// Listens for some seconds: what the input gives, how it sounds, and what the hotwords make of it.
struct InputCheck {
  let input: InputName
  /// nil where no model could be loaded.
  let spotter: KeywordSpotter?
  /// Whether somebody sits there who can be asked to speak.
  let isAttended: Bool

  private static let quietSeconds = 2.0
  private static let speechSeconds = 5.0
  /// Of a recording.
  private static let mostSeconds = 120.0
  private static let channelSeconds = 0.5

  /// What some seconds of listening brought.
  private struct Heard {
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
      let source = try StandardError.silenced { try input.open() }
      defer { source.close() }
      let reader = FrameReader(source)
      var quiet: SoundMeasure?
      if isAttended {
        Log.note("stay quiet for two seconds …")
        quiet = try listen(reader, Self.quietSeconds).meter.measure
        Log.note("now say \(phrases) once or twice, from where you usually speak …")
      }
      let heard = try listen(reader, isLive ? Self.speechSeconds : Self.mostSeconds)
      var measure = heard.meter.measure
      if let quiet, quiet.seconds > 0 { measure.noiseFloor = quiet.noiseFloor }
      findings += sound(measure, heard) + hotwords(heard)
      return findings + (try deadChannels())
    } catch {
      return [.fault("input", error)]
    }
  }

  private var isLive: Bool {
    if case .alsa = input { true } else { false }
  }

  private var phrases: String {
    let phrases = (spotter?.keywords ?? []).map { "\"\($0.phrase)\"" }
    return phrases.isEmpty ? "something" : phrases.joined(separator: " and ")
  }

  /// The rate and channels that it is heard with.
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

  private func listen(_ reader: FrameReader, _ seconds: Double) throws -> Heard {
    var heard = Heard()
    heard.scores = (spotter?.keywords ?? []).map { _ in 0 }
    let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.frameLength)
    defer { frame.deallocate() }
    spotter?.reset()
    func hear() {
      guard let spotter else { return }
      _ = spotter.push(UnsafeBufferPointer(frame))
      for index in heard.scores.indices {
        if let step = spotter.score(of: index) { heard.scores[index] = max(heard.scores[index], step.score) }
      }
    }
    var left = AudioFormat.samples(seconds)
    while left > 0 {
      let read = try reader.next(into: frame)
      if read.events.contains(.overrun) { heard.overruns += 1 }
      heard.lost += read.gap
      left -= read.gap + read.count
      if read.count > 0 {
        heard.meter.push(UnsafeBufferPointer(frame)[..<read.count])
        hear()
      }
      heard.isLost = heard.isLost || read.events.contains(.lost)
      if read.isEnd || heard.isLost { break }
    }
    frame.update(repeating: 0)
    for _ in 0..<(spotter?.tail ?? 0) { hear() }
    return heard
  }

  private func sound(_ measure: SoundMeasure, _ heard: Heard) -> [Finding] {
    var findings: [Finding] = []
    if heard.isLost {
      findings.append(.fault("sound", "the device failed; plug it in anew", .unavailable))
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
    if heard.overruns > 0 {
      findings.append(
        .warning(
          "sound",
          "\(heard.overruns) overruns, \(JSON.rounded(AudioFormat.seconds(heard.lost))) s lost; see 'real time' below"
        ))
    }
    return findings
  }

  private func hotwords(_ heard: Heard) -> [Finding] {
    zip(spotter?.keywords ?? [], heard.scores).map { keyword, score in
      let figures = [
        JSON.Member("keyword", .string(keyword.name)), JSON.Member("score", .rounded(score)),
        JSON.Member("threshold", .rounded(keyword.threshold)),
      ]
      let text = "\"\(keyword.phrase)\" scored \(percent(score)), \(percent(keyword.threshold)) are needed"
      if score >= keyword.threshold || !isAttended { return .ok("hotword", text, figures) }
      return .warning(
        "hotword", "\(text); mend the sound first, then raise --sensitivity, or 'hotword enroll' your voice",
        figures)
    }
  }

  private func percent(_ part: Double) -> String { "\(JSON.rounded(100 * part, digits: 0)) %" }

  /// Channels of several that hear nothing.
  private func deadChannels() throws -> [Finding] {
    guard let (_, channels) = try format(), channels > 1 else { return [] }
    var dead: [Int] = []
    for channel in 0..<channels {
      let source = try StandardError.silenced { try input.open(channel: channel) }
      let listener = InputCheck(input: input, spotter: nil, isAttended: false)
      let seconds = isLive ? Self.channelSeconds : Self.mostSeconds
      if try listener.listen(FrameReader(source), seconds).meter.measure.isDead { dead.append(channel) }
      source.close()
    }
    guard !dead.isEmpty, dead.count < channels else { return [] }
    let names = dead.map { "\($0)" }.joined(separator: " and ")
    return [
      .warning(
        "channels",
        "\(names) of 0 to \(channels - 1) \(dead.count == 1 ? "is" : "are") silent, so that the mean is quieter; choose "
          + "the others in the sound card's mixer or ALSA's configuration")
    ]
  }
}
