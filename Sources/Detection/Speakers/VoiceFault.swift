import Detection
import Platform

/// An error of enrolled voices.
public enum VoiceFault: Fault, Equatable {
  /// `name` is not a valid name of a voice.
  case badName(String)
  /// The name of a voice is that of a file: it was forgotten before the clips.
  case fileAsName(String)
  /// The voice has no clips of the keyword.
  case noClips(name: String, keyword: String, known: [String])
  /// No voice has this name.
  case unknownVoice(String, known: [String])
  /// The file of a voice is rejected.
  case badVoice(path: String, defect: ModelDefect)
  /// Too few clips can be used.
  case tooFewClips(usable: Int, needed: Int)
  /// More clips than the limit.
  case tooManyClips(given: Int, limit: Int)
  /// Only enrolled voices may trigger, but none is enrolled with this hotword.
  case noneEnrolled(keyword: String)
  case system(SystemFault)

  /// Whether the file of a voice is damaged.
  package var isDamage: Bool { if case .badVoice = self { true } else { false } }

  public var exitCode: ExitCode {
    switch self {
    case .badName, .fileAsName, .tooManyClips: .usage
    case .unknownVoice, .noClips: .noInput
    case .badVoice, .tooFewClips: .badData
    case .noneEnrolled: .configuration
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .badName(let name):
      "'\(name)': not a name of a voice; use 1 to 64 bytes without '/' that do not begin with '.' or '-'"
    case .fileAsName(let file):
      "'\(file)' is a file, but the first word must be the name of the person: hotword enroll NAME --phrase M CLIP…"
    case .noClips(let name, let keyword, let known):
      "the voice '\(name)' has no clips of '\(keyword)'; it has those of \(known.joined(separator: ", "))"
    case .unknownVoice(let name, let known):
      "no voice named '\(name)' is enrolled"
        + (known.isEmpty ? "" : "; available: \(known.joined(separator: ", "))")
    case .badVoice(let path, let defect):
      "\(path): not a usable voice: \(defect.message); enroll it again"
    case .tooFewClips(let usable, let needed):
      "\(usable) usable clip\(usable == 1 ? "" : "s") of \(needed) needed; record more clips, one word each, in a quiet room"
    case .tooManyClips(let given, let limit):
      "\(given) clips are too many; use up to \(limit)"
    case .noneEnrolled(let keyword):
      "only enrolled voices may trigger, but none is enrolled with '\(keyword)'; "
        + "'hotword enroll NAME --phrase \(keyword) CLIP…' enrolls one"
    case .system(let fault): fault.message
    }
  }
}

/// Why a clip is not usable for an enrolment.
public enum ClipDefect: Error, Sendable, Equatable {
  /// Its loudest part is at `level` dBFS.
  case silent(level: Double)
  /// This fraction of the word's samples is clipped.
  case clipped(part: Double)
  /// The detected word has no part of 0.2 s above the background.
  case tooShort
  /// The model did not detect its phrase; `score` is its highest score.
  case notDetected(phrase: String, score: Double)
  /// The file is not usable audio; `message` names it.
  case unreadable(message: String)

  /// One line with the defect and the suggested fix.
  public func message(file: String) -> String {
    switch self {
    case .silent(let level):
      "\(file): not used: silent, the loudest part is at \(Int(level)) dBFS; increase the microphone's level"
    case .clipped(let part):
      "\(file): not used: clipping, \(JSON.rounded(part * 100, digits: 1)) % of the word is at full scale; reduce the microphone's level"
    case .tooShort:
      "\(file): not used: no word of 0.2 s is above the background noise; speak closer to the microphone"
    case .notDetected(let phrase, let score):
      "\(file): not used: '\(phrase)' was not detected (score \(JSON.rounded(score, digits: 2))); say it once and clearly"
    case .unreadable(let message): "\(message); not used"
    }
  }
}
