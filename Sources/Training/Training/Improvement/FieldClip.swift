import AudioCapture
import Clips
import Detection
import Evaluation
import PCM
import Platform

/// A clip from a model's use: a false alarm or a missed phrase.
package struct FieldClip: Sendable {
  package let name: String
  package let samples: [Int16]
  /// The samples of the phrase, or of the false alarm.
  package let word: Range<Int>
  /// Whether it is held out for evaluation.
  package let isHeldOut: Bool

  /// The phrase in the clip; its speaker is unknown.
  package var utterance: Corpus.Utterance {
    Corpus.Utterance(name: name, group: "the field", samples: samples, word: word)
  }
}

/// The clips of folders as `hotword review` stores them, in the order of time.
///
/// Clips of one session are similar. The latest are held out, split at the longest pause between two clips.
package struct FieldClips: Sendable {
  package enum Use: String, Sendable {
    case falseAlarms = "a false alarm"
    case missed = "a missed phrase"
  }

  package private(set) var clips: [FieldClip] = []
  /// The excluded clips with the reasons.
  package private(set) var leftOut: [String] = []

  /// The maximum length of a clip in seconds; of a longer false alarm, only the part with the highest score
  /// is used.
  package static let longest = 10.0
  /// With fewer clips, none is held out.
  package static let fewest = 4

  /// - Parameters:
  ///   - folders: folders of clips, or folders of `hotword review`, of which the model's own clips are used.
  ///   - model: the model that triggered, or did not.
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
    let trained = Self.trainingCount(usable.map(\.time))
    clips = usable.enumerated().map { index, clip in
      FieldClip(name: clip.path, samples: clip.samples, word: clip.word, isHeldOut: index >= trained)
    }
  }

  /// Returns how many clips in the order of time are used for training: 65 to 85 % of four or more, up to the
  /// longest pause.
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
          return .failure(
            ClipFlaw(text: "\(path): longer than \(Int(longest)) s; cut the clip to the phrase"))
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

  /// Returns the word in the clip; nil if there is none, as in a false alarm of music.
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
