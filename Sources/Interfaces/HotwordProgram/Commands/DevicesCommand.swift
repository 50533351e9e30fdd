import AudioCapture
import CommandLineParsing
import Glibc

/// `hotword devices`: what `--input alsa:NAME` can name here and now, one line each.
enum DevicesCommand {
  static func run(_ arguments: Arguments) throws {
    silenceStandardError()
    for device in AlsaDevices.list() {
      guard let state = state(of: device.name) else { continue }
      Output.write("alsa:\(device.name)\t\(state)\t\(device.description)\n")
    }
  }

  /// ALSA's plug-ins speak there of their own troubles, such as a sound server that is not running.
  private static func silenceStandardError() {
    let sink = open("/dev/null", O_WRONLY | O_CLOEXEC)
    dup2(sink, STDERR_FILENO)
    close(sink)
  }

  /// How the device would be heard; nil for one that cannot be heard at all, as many of ALSA's names cannot.
  private static func state(of name: String) -> String? {
    do throws(CaptureFault) {
      let (rate, channels) = try AlsaDevices.probe(name)
      return "\(rate) Hz, \(channels == 1 ? "1 channel" : "\(channels) channels")"
    } catch {
      switch error {
      case .deviceBusy: return "busy"
      case .devicePermission: return "not permitted"
      default: return nil
      }
    }
  }
}
