import AudioCapture
import CommandLineParsing

/// `hotword devices`: lists what `--input alsa:NAME` accepts on this machine, one line each.
enum DevicesCommand: Command {
  static let definition = CommandDefinition(
    "devices", "list the audio devices that --input accepts", examples: ["hotword devices"])

  static func run(_ arguments: Arguments) throws {
    let lines = StandardError.silenced {
      AlsaDevices.list().compactMap { device in
        state(of: device.name).map { "alsa:\(device.name)\t\($0)\t\(device.description)\n" }
      }
    }
    guard !lines.isEmpty else { throw CaptureFault.noCaptureDevice }
    for line in lines { Output.write(line) }
  }

  /// The device's rate and channels, or why it cannot be used now; nil if it cannot capture audio, as many of ALSA's names.
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
