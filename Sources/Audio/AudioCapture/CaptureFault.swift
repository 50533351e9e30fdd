import Glibc
import Platform

/// An error of an audio file, a stream or an audio device.
public enum CaptureFault: Fault, Equatable {
  /// No file at `path`.
  case noSuchFile(path: String)
  /// `path` exists but cannot be opened or read; `code` is the `errno`.
  case cannotRead(path: String, code: Int32)
  /// `path` could not be written; `code` is the `errno`.
  case cannotWrite(path: String, code: Int32)
  /// `path` is a directory.
  case isDirectory(path: String)
  /// `path` has no bytes, or a header and no samples.
  case empty(path: String)
  /// `path` names a part that is no time range, or begins after the end of the file, which is `seconds` long.
  case badPart(path: String, seconds: Double?)
  /// `path` has no format that libsndfile or the stream decoder supports; `reason` is their message.
  case notAudio(path: String, reason: String)
  /// `path` ends before the end that its header states.
  case truncated(path: String, reason: String)
  /// `path` has no channel of this number.
  case noSuchChannel(path: String, channel: Int, channels: Int)
  /// This machine has no device that can record.
  case noCaptureDevice
  /// No capture device has this name.
  case noSuchDevice(name: String)
  /// Another program uses the device.
  case deviceBusy(name: String)
  /// The user may not open the device.
  case devicePermission(name: String)
  /// The device accepts none of our formats, rates or channel counts; `reason` states which.
  case deviceUnsuitable(name: String, reason: String)
  /// The device failed otherwise; `code` is ALSA's error as a positive `errno`.
  case deviceFailed(name: String, code: Int32)
  /// The device cannot play; `code` is ALSA's error as a positive `errno`.
  case cannotPlay(name: String, code: Int32)
  /// The text is not the name of an input.
  case badInputName(text: String)
  /// The operating system rejected a thread or an event descriptor; `code` is the `errno`.
  case cannotStart(code: Int32)

  public var exitCode: ExitCode {
    switch self {
    case .noSuchFile: .noInput
    case .cannotRead(_, EACCES), .cannotRead(_, EPERM), .cannotWrite(_, EACCES), .devicePermission:
      .permission
    case .cannotRead, .cannotWrite: .inputOutput
    case .isDirectory, .empty, .badPart, .notAudio, .truncated, .noSuchChannel: .badData
    case .noCaptureDevice, .noSuchDevice, .deviceBusy, .deviceUnsuitable, .deviceFailed, .cannotPlay:
      .unavailable
    case .badInputName: .usage
    case .cannotStart: .operatingSystem
    }
  }

  public var message: String {
    switch self {
    case .noSuchFile(let path): "\(path): no such file; check the path"
    case .cannotRead(let path, EACCES), .cannotRead(let path, EPERM):
      "\(path): cannot be read: permission denied; check its permissions with 'ls -l'"
    case .cannotRead(let path, let code): "\(path): cannot be read: \(systemReason(code))"
    case .cannotWrite(let path, let code):
      "\(path): cannot be written: \(systemReason(code)); check the folder and the free space"
    case .isDirectory(let path): "\(path): is a directory; name the audio files in it"
    case .empty(let path): "\(path): contains no audio; check what records it"
    case .badPart(let path, nil):
      "\(path): not a part of a file; write FILE#t=START,END with seconds, such as talk.wav#t=1.5,2.25"
    case .badPart(let path, let seconds?):
      "\(path): the file is only \(JSON.rounded(seconds, digits: 2)) s long"
    case .notAudio(let path, let reason):
      "\(path): not readable as audio (\(reason)); use a WAV, FLAC or Ogg file"
    case .truncated(let path, let reason): "\(path): truncated (\(reason)); copy or record it again"
    case .noSuchChannel(let path, let channel, let channels):
      "\(path): no channel \(channel); use a channel from 0 to \(channels - 1)"
    case .noCaptureDevice: "no device can record; connect a microphone and see 'hotword doctor'"
    case .noSuchDevice(let name):
      "alsa:\(name): no such capture device; 'hotword devices' lists the capture devices"
    case .deviceBusy(let name):
      "alsa:\(name): busy: another program uses it; end that program or use a shared device such as 'default'"
    case .devicePermission(let name):
      "alsa:\(name): permission denied; add the user to the group 'audio'"
    case .deviceUnsuitable(let name, let reason):
      "alsa:\(name): \(reason); try 'plughw:' or 'default', or see 'hotword devices'"
    case .deviceFailed(let name, let code):
      "alsa:\(name): cannot be opened: \(systemReason(code)); 'hotword devices' lists the capture devices"
    case .cannotPlay(let name, let code):
      "alsa:\(name): cannot play: \(systemReason(code)); name another device with --player"
    case .badInputName(let text):
      "'\(text)': not an input; use alsa:NAME, a file, or - for standard input"
    case .cannotStart(let code):
      "the capture thread cannot be started: \(systemReason(code)); check the limits of processes and open files"
    }
  }
}
