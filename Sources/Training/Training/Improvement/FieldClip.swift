import AudioCapture
import Clips
import Detection
import Evaluation
import PCM
import Platform

/// Some seconds from a model's use: what it fired at and should not have, or missed.
package struct FieldClip: Sendable {
  package let name: String
  package let samples: [Int16]
  /// The phrase, or what was taken for it.
  package let word: Range<Int>
  /// Whether it measures, and the twin that is measured does not hear it.
  package let isHeldOut: Bool

  /// The phrase in it; nobody knows whose voice it is.
  package var utterance: Corpus.Utterance {
    Corpus.Utterance(name: name, group: "the field", samples: samples, word: word)
  }
}

/// The clips of some folders as `hotword review` files them, in the order of their time.
///
/// Those of one evening resemble each other: the last ones are kept to measure what the ones before taught, cut where
/// the pause between two clips is the longest.
package struct FieldClips: Sendable {
  package enum Use: String, Sendable {
    case falseAlarms = "a false alarm"
    case missed = "a missed phrase"
  }

  package private(set) var clips: [FieldClip] = []
  /// What was left out and why, in words.
  package private(set) var leftOut: [String] = []

  /// Seconds that a clip may last: of longer ones only what scores highest is a false alarm.
  package static let longest = 10.0
  /// Fewer clips than this all teach; none is kept to measure.
  package static let fewest = 4

  /// - Parameters:
  ///   - folders: of clips, or of `hotword review`: then the model's own clips below it count.
  ///   - model: which fired, or did not.
  /// - Throws: ``TrainingFault/noFolder(_:)``, ``TrainingFault/nothingReadable(folder:use:)``, `SystemFault`.
  package init(_ folders: [String], _ use: Use, of model: HotwordModel, threads: Int) throws {
    guard let first = folders.first else { return }
    var found: [(path: String, clip: Clip?)] = []
    for folder in folders {
      let folder = Self.folder(folder, use, of: model.name)
      found += try AudioFolder(folder, use: use.rawValue).clips.map { ($0.path, Self.clip(at: $0.path)) }
    }
    found.sort { one, other in
      switch (one.clip, other.clip) {
      case (let a?, let b?): (a.time, one.path) < (b.time, other.path)
      case (.some, nil): true
      case (nil, .some): false
      case (nil, nil): one.path < other.path
      }
    }
    let files = found
    let read = Parallel.map(files.count, threads: threads) { index in
      Self.read(files[index].path, isKept: files[index].clip != nil, use, model)
    }
    var usable: [(path: String, time: ClipTime?, samples: [Int16], word: Range<Int>)] = []
    for (file, result) in zip(files, read) {
      switch result {
      case .success(let part): usable.append((file.path, file.clip?.time, part.samples, part.word))
      case .failure(let flaw): leftOut.append(flaw.text)
      }
    }
    guard !usable.isEmpty else {
      throw TrainingFault.nothingReadable(folder: first, use: use.rawValue)
    }
    let taught = Self.trainingCount(usable.map(\.time))
    clips = usable.enumerated().map { index, clip in
      FieldClip(name: clip.path, samples: clip.samples, word: clip.word, isHeldOut: index >= taught)
    }
  }

  /// How many clips in the order of time teach: 65 to 85 % of four or more, up to the longest pause.
  package static func trainingCount(_ times: [ClipTime?]) -> Int {
    let count = times.count
    guard count >= fewest else { return count }
    let usual = count * 3 / 4
    let range = max(1, count * 65 / 100)...min(count - 1, (count * 85 + 99) / 100)
    func pause(before index: Int) -> Int {
      guard let last = times[index - 1], let next = times[index] else { return 0 }
      return next.milliseconds - last.milliseconds
    }
    return range.max { one, other in
      (pause(before: one), -abs(one - usual), one) < (pause(before: other), -abs(other - usual), other)
    }!
  }

  private static func folder(_ path: String, _ use: Use, of name: String) -> String {
    let label: Label = use == .missed ? .missed : .falseAlarm
    return ["\(path)/\(name)/\(label.folder)", "\(path)/\(label.folder)"].first(where: Files.isDirectory)
      ?? path
  }

  private static func clip(at path: String) -> Clip? {
    path.split(separator: "/").last.flatMap { Clip(fileName: String($0)) }
  }

  private struct Part: Sendable {
    let samples: [Int16]
    let word: Range<Int>
  }

  private static func read(
    _ path: String, isKept: Bool, _ use: Use, _ model: HotwordModel
  ) -> Result<Part, ClipFlaw> {
    do {
      var samples = try AudioFile.read(path)
      if samples.count > AudioFormat.samples(longest) {
        guard use == .falseAlarms, let end = Evaluator.highest(samples, model)?.end else {
          return .failure(ClipFlaw(text: "\(path): longer than \(Int(longest)) s; cut the phrase out of it"))
        }
        samples = Array(samples[max(0, end - ClipCutter.before)..<min(samples.count, end + ClipCutter.after)])
      }
      let region = try wordRegion(samples)
      if isKept, samples.count == ClipCutter.before + ClipCutter.after {
        return .success(Part(samples: samples, word: word(endingAt: ClipCutter.before, model, samples)))
      }
      if use == .missed {
        guard let region else { throw WordBoundary.Flaw.noWord }
        return .success(Part(samples: samples, word: region))
      }
      let end = Evaluator.highest(samples, model)?.end ?? samples.count
      return .success(Part(samples: samples, word: word(endingAt: end, model, samples)))
    } catch let flaw as WordBoundary.Flaw {
      return .failure(ClipFlaw(text: "\(path): \(flaw.rawValue)"))
    } catch {
      return .failure(ClipFlaw(text: "\(error)"))
    }
  }

  /// What stands out of the clip; nil where nothing does, as in a false alarm of music.
  private static func wordRegion(_ samples: [Int16]) throws(WordBoundary.Flaw) -> Range<Int>? {
    do {
      return try WordBoundary.find(samples)
    } catch {
      if error == .noWord { return nil }
      throw error
    }
  }

  private static func word(endingAt end: Int, _ model: HotwordModel, _ samples: [Int16]) -> Range<Int> {
    let length = AudioFormat.samples(max(0.2, model.decision.wordDuration))
    let end = min(samples.count, max(end, AudioFormat.samples(0.2)))
    return max(0, end - length)..<end
  }
}
