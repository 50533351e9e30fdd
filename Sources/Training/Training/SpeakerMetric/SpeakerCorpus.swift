import AudioCapture
import Evaluation
import PCM
import Platform
import Speakers

/// Speech of many speakers, each clip as recorded and in noise and rooms.
package struct SpeakerCorpus: Sendable {
  /// One clip.
  package struct Item: Sendable {
    package let speaker: String
    package let quiet: SpeechPrint
    package let noisy: SpeechPrint?
    package let distant: SpeechPrint?

    package var renderings: [(VoiceTrials.Rendering, SpeechPrint)] {
      [(.quiet, quiet), (.noisy, noisy), (.distant, distant)].compactMap { rendering, print in
        print.map { (rendering, $0) }
      }
    }

    package var prints: [SpeechPrint] { renderings.map(\.1) }
  }

  package let items: [Item]

  private static let clipLimit = 25
  /// Seconds of a clip.
  private static let seconds = 8.0
  private static let noisyRatios: ClosedRange<Float> = 3...25
  private static let distantRatios: ClosedRange<Float> = 8...30

  /// Reads the clips `SOURCE/SPEAKER/CLIP`, up to 25 of a speaker.
  ///
  /// - Parameters:
  ///   - noise: a folder with background sounds.
  ///   - rooms: a folder with impulse responses of rooms.
  /// - Throws: ``TrainingFault``, `SystemFault`.
  package init(folders: [String], noise: String, rooms: String, seed: UInt64, threads: Int) throws {
    var clips: [(path: String, speaker: String)] = []
    for folder in folders {
      var counts: [String: Int] = [:]
      for path in try Files.list(below: folder) where !path.hasSuffix(".tsv") {
        let speaker = path.split(separator: "/").suffix(3).dropLast().joined(separator: "/")
        counts[speaker, default: 0] += 1
        if counts[speaker]! <= Self.clipLimit { clips.append((path, speaker)) }
      }
    }
    let noises = try VoiceCorpus.noises(below: noise, threads: threads)
    guard !noises.isEmpty else { throw TrainingFault.nothingReadable(folder: noise, use: "noise") }
    let responses = try AudioFolder(rooms, use: "rooms").clips.compactMap { clip in
      RoomResponse(recording: Level.floats(try AudioFile.read(clip.path)))
    }
    guard !responses.isEmpty else { throw TrainingFault.nothingReadable(folder: rooms, use: "rooms") }
    let random = RandomSource(seed: seed)
    let chosen = clips
    items = Parallel.map(chosen.count, threads: threads) { index -> Item? in
      guard let samples = try? AudioFile.read(chosen[index].path) else { return nil }
      var random = random.stream(index)
      let speech = Level.floats(Array(samples.prefix(AudioFormat.samples(Self.seconds))))
      guard let quiet = SpeechPrint(Level.integers(speech)) else { return nil }
      func mixed(_ speech: [Float], _ ratios: ClosedRange<Float>) -> SpeechPrint? {
        let noise = noises[Int(random.next() % UInt64(noises.count))]
        let start = Int(random.next() % UInt64(noise.count))
        let background = speech.indices.map { noise[(start + $0) % noise.count] }
        return SpeechPrint(Level.integers(Level.mix(speech, background, ratio: random.uniform(ratios))))
      }
      let response = responses[Int(random.next() % UInt64(responses.count))]
      return Item(
        speaker: chosen[index].speaker, quiet: quiet, noisy: mixed(speech, Self.noisyRatios),
        distant: mixed(response.applied(to: speech), Self.distantRatios))
    }.compactMap { $0 }
    guard Set(items.map(\.speaker)).count > 100 else {
      throw TrainingFault.nothingReadable(folder: folders.joined(separator: ", "), use: "speakers")
    }
  }
}
