import AudioCapture
import Configuration
import Networking
import Platform
import Service
import Supervision

/// Whether what `run` and `satellite` write, serve and play can be written, served and played.
enum OutputsCheck {
  /// The longest wait for an answer in seconds: a service checks its own clients for up to two.
  private static let timeout = 5.0

  /// The folder for clips, the pages for programs, and the page for browsers, as far as the settings name them.
  static func run(_ settings: ServiceSettings) -> [Finding] {
    var findings: [Finding] = []
    if let folder = settings.keep {
      findings.append(
        ConfigurationCheck.isWritable(folder)
          ? .ok("keep", folder) : .fault("keep", ServiceFault.cannotKeep(folder: folder)))
    }
    if let address = settings.metrics { findings.append(metrics(address)) }
    if settings.web.endpoint != nil {
      findings.append(
        Finding("web", "available") {
          try HTTPListener.check(purpose: "web")
          _ = try settings.web.identity()
        })
    }
    return findings
  }

  /// An address that a running service uses is not a fault.
  private static func metrics(_ address: HTTPAddress) -> Finding {
    let isRunning = health(at: address)?["status"] != nil
    return Finding("metrics", isRunning ? "a service is running at \(address)" : "\(address) is free") {
      try StatusServer.check()
      if !isRunning { _ = try ListeningSocket.open(.host(address.host, port: address.port)) }
    }
  }

  /// What the service at `address` reports on its page `/health`; nil if none answers there.
  static func health(at address: HTTPAddress) -> JSON? {
    guard
      let page = try? WebAddress("http://\(address)/health", schemes: ["http"], expected: "http://HOST:PORT"),
      let answer = try? HTTPClient(timeout: timeout).send(HTTPRequest(.get, page))
    else { return nil }
    return try? JSON(parsing: answer.body)
  }

  /// - Parameter device: the ALSA name of a playback device.
  static func player(_ device: String) -> Finding {
    Finding("player", "alsa:\(device)") {
      try StandardError.silenced { _ = try PlaybackDevice(device, latency: 0.2) }
    }
  }
}
