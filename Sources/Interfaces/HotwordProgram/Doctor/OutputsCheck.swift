import AudioCapture
import Configuration
import Networking
import Platform
import Service
import Supervision

/// Whether what `run` and `satellite` write, serve and play can be written, served and played.
enum OutputsCheck {
  /// The folder for clips, the pages for programs, and the page for browsers, as far as the settings name them.
  static func run(_ settings: ServiceSettings) -> [Finding] {
    var findings: [Finding] = []
    if let folder = settings.keep {
      findings.append(
        ConfigurationCheck.isWritable(folder)
          ? .ok("keep", folder) : .fault("keep", ServiceFault.cannotKeep(folder: folder)))
    }
    if settings.metrics != nil {
      findings.append(Finding("metrics", "available") { try StatusServer.check() })
    }
    if settings.web.endpoint != nil {
      findings.append(
        Finding("web", "available") {
          try HTTPListener.check(purpose: "web")
          _ = try settings.web.identity()
        })
    }
    return findings
  }

  /// - Parameter device: the ALSA name of a playback device.
  static func player(_ device: String) -> Finding {
    Finding("player", "alsa:\(device)") {
      try StandardError.silenced { _ = try PlaybackDevice(device, latency: 0.2) }
    }
  }
}
