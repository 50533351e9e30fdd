import Detection
import Platform

/// What can be wrong with voices and their enrolment.
public enum VoiceFault: Fault, Equatable {
  /// `name` cannot name a voice.
  case badName(String)
  /// No voice is called so.
  case unknownVoice(String, known: [String])
  /// The file of a voice is refused.
  case badVoice(path: String, defect: ModelDefect)
  /// Of the clips given, too few can be used.
  case tooFewClips(usable: Int, needed: Int)
  /// More clips than a voice holds.
  case tooManyClips(given: Int, limit: Int)
  /// Only enrolled voices may wake, but none is enrolled with this hotword.
  case nobodyEnrolled(keyword: String)
  case system(SystemFault)

  public var exitCode: ExitCode {
    switch self {
    case .badName, .tooManyClips: .usage
    case .unknownVoice: .noInput
    case .badVoice, .tooFewClips: .badData
    case .nobodyEnrolled: .configuration
    case .system(let fault): fault.exitCode
    }
  }

  public var message: String {
    switch self {
    case .badName(let name):
      "'\(name)' cannot name a voice: 1 to 64 bytes without '/', not beginning with '.' or '-'"
    case .unknownVoice(let name, let known):
      "no voice named '\(name)' is enrolled"
        + (known.isEmpty ? "" : "; there are: \(known.joined(separator: ", "))")
    case .badVoice(let path, let defect):
      "\(path): not a usable voice: \(defect.message); enroll it again"
    case .tooFewClips(let usable, let needed):
      "\(usable) usable clip\(usable == 1 ? "" : "s") of \(needed) needed; record more, one word each, in a quiet room"
    case .tooManyClips(let given, let limit):
      "\(given) clips are more than a voice holds; give at most \(limit)"
    case .nobodyEnrolled(let keyword):
      "only enrolled voices may wake, but none is enrolled with '\(keyword)'; "
        + "'hotword enroll NAME --phrase \(keyword) CLIP…' enrolls one"
    case .system(let fault): fault.message
    }
  }
}

/// Why a clip cannot be used for enrolment.
public enum ClipDefect: Error, Sendable, Equatable {
  /// Its loudest part lies at `level` dBFS.
  case silent(level: Double)
  /// This part of the word's samples is cut off at full scale.
  case clipped(part: Double)
  /// Nothing of 0.2 s or more stands out of the background where the word was heard.
  case tooShort
  /// The model did not hear its phrase; `score` is the highest it gave.
  case notHeard(phrase: String, score: Double)
  /// The file is no usable audio; `message` names it.
  case unreadable(message: String)

  /// One line: the fault and the mend.
  public func message(file: String) -> String {
    switch self {
    case .silent(let level):
      "\(file): left out: silent, its loudest part at \(Int(level)) dBFS; raise the microphone's level"
    case .clipped(let part):
      "\(file): left out: clipped, \(JSON.rounded(part * 100, digits: 1)) % of the word at full scale; lower the microphone's level"
    case .tooShort:
      "\(file): left out: no word of 0.2 s stands out of the background; speak nearer to the microphone"
    case .notHeard(let phrase, let score):
      "\(file): left out: '\(phrase)' was not heard in it (score \(JSON.rounded(score, digits: 2))); say it once, clearly"
    case .unreadable(let message): "\(message); left out"
    }
  }
}
