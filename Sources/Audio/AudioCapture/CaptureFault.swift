import Glibc
import Platform

/// What can be wrong with an audio file, a stream or a capture device.
public enum CaptureFault: Fault, Equatable {
  /// Nothing stands at `path`.
  case noSuchFile(path: String)
  /// `path` stands but cannot be opened or read; `code` is its `errno`.
  case cannotRead(path: String, code: Int32)
  /// `path` could not be written; `code` is its `errno`.
  case cannotWrite(path: String, code: Int32)
  /// `path` is a directory.
  case isDirectory(path: String)
  /// `path` has no bytes, or a header and no samples.
  case empty(path: String)
  /// `path` is in no format that libsndfile or the stream decoder knows; `reason` is their word for it.
  case notAudio(path: String, reason: String)
  /// `path` ends before its own header says.
  case truncated(path: String, reason: String)
  /// `path` has no channel of this number.
  case noSuchChannel(path: String, channel: Int, channels: Int)
  /// No capture device has this name.
  case noSuchDevice(name: String)
  /// Another program holds the device.
  case deviceBusy(name: String)
  /// The user may not open the device.
  case devicePermission(name: String)
  /// The device accepts none of our formats, rates and channel counts; `reason` says which.
  case deviceUnsuitable(name: String, reason: String)
  /// The device failed otherwise; `code` is ALSA's error as a positive `errno`.
  case deviceFailed(name: String, code: Int32)
  /// The device does not play; `code` is ALSA's error as a positive `errno`.
  case cannotPlay(name: String, code: Int32)
  /// The text names no input.
  case badInputName(text: String)
  /// The operating system refused a thread or an event descriptor; `code` is its `errno`.
  case cannotStart(code: Int32)

  public var exitCode: ExitCode {
    switch self {
    case .noSuchFile: .noInput
    case .cannotRead(_, EACCES), .cannotRead(_, EPERM), .cannotWrite(_, EACCES), .devicePermission:
      .permission
    case .cannotRead, .cannotWrite: .inputOutput
    case .isDirectory, .empty, .notAudio, .truncated, .noSuchChannel: .badData
    case .noSuchDevice, .deviceBusy, .deviceUnsuitable, .deviceFailed, .cannotPlay: .unavailable
    case .badInputName: .usage
    case .cannotStart: .operatingSystem
    }
  }

  public var message: String {
    switch self {
    case .noSuchFile(let path): "\(path): no such file; check the path"
    case .cannotRead(let path, EACCES), .cannotRead(let path, EPERM):
      "\(path): cannot be read: permission denied; check its mode with 'ls -l'"
    case .cannotRead(let path, let code): "\(path): cannot be read: \(systemReason(code))"
    case .cannotWrite(let path, let code): "\(path): cannot be written: \(systemReason(code))"
    case .isDirectory(let path): "\(path): is a directory; give the audio files in it"
    case .empty(let path): "\(path): holds no audio; record it again"
    case .notAudio(let path, let reason):
      "\(path): not readable as audio (\(reason)); give a WAV, FLAC or Ogg file"
    case .truncated(let path, let reason): "\(path): truncated (\(reason)); copy or record it again"
    case .noSuchChannel(let path, let channel, let channels):
      "\(path): has no channel \(channel); its channels are 0 to \(channels - 1)"
    case .noSuchDevice(let name):
      "alsa:\(name): no such capture device; 'hotword devices' lists those that can be heard"
    case .deviceBusy(let name):
      "alsa:\(name): busy, another program holds it; end it or use a shared device such as 'default'"
    case .devicePermission(let name):
      "alsa:\(name): permission denied; add the user to the group 'audio'"
    case .deviceUnsuitable(let name, let reason):
      "alsa:\(name): \(reason); try 'plughw:' or 'default', or see 'hotword devices'"
    case .deviceFailed(let name, let code):
      "alsa:\(name): cannot be opened: \(systemReason(code)); 'hotword devices' lists those that can be heard"
    case .cannotPlay(let name, let code):
      "alsa:\(name): cannot play: \(systemReason(code)); name another player with --player"
    case .badInputName(let text):
      "'\(text)' names no input; give alsa:NAME, a file, or - for standard input"
    case .cannotStart(let code): "the capture thread cannot be started: \(systemReason(code))"
    }
  }
}
