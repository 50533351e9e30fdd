import Configuration
import Detection
import ESPHomeServer
import Glibc
import Networking
import Platform
import Service
import WyomingServer

/// Whether a satellite of these settings can start, and whether Home Assistant can connect to it.
enum SatelliteCheck {
  static func run(_ settings: SatelliteSettings, _ spotter: KeywordSpotter?) -> [Finding] {
    var findings = connection(settings) + announcement(settings)
    if settings.isEncrypted { findings.append(key(ESPHomeSatellite.keyPath(settings))) }
    if settings.onlyVoices, let spotter {
      findings.append(
        Finding("voices", "each hotword has an enrolled voice") {
          _ = try KnownVoices.load(for: spotter.keywords.map(\.name), onlyVoices: true)
        })
    }
    if let device = settings.player { findings.append(OutputsCheck.player(device)) }
    if settings.duck != nil {
      findings.append(Finding("duck", "a sound server is running") { try DuckedPlayers.check() })
    }
    if let control = settings.control, let address = try? ListenAddress(control) {
      findings.append(SatelliteReach.control(address))
    }
    return findings + OutputsCheck.run(settings.shown)
  }

  /// The addresses that it listens at, and Home Assistant.
  private static func connection(_ settings: SatelliteSettings) -> [Finding] {
    do {
      let reach = try WyomingReach(settings)
      if reach.addresses.contains(.standardStreams) { throw ServerFault.satelliteOverStreams }
      var findings = reach.addresses.map { SatelliteReach.address($0, settings) }
      if reach.isOpenToAll, !settings.isEncrypted {
        findings.append(.warning("address", WyomingReach.satelliteWarning))
      }
      return findings + SatelliteReach.home(settings, reach)
    } catch {
      return [.fault("address", error)]
    }
  }

  /// The Avahi daemon. The ESPHome satellite works without it if no option requires it.
  private static func announcement(_ settings: SatelliteSettings) -> [Finding] {
    guard settings.isEncrypted || settings.zeroconf != nil else { return [] }
    do throws(NetworkFault) {
      try ServiceAnnouncement.check()
      return [.ok("zeroconf", "Avahi is running")]
    } catch {
      if settings.zeroconf != nil { return [.fault("zeroconf", error)] }
      return [.warning("zeroconf", "not announced: \(error.message)")]
    }
  }

  /// The encryption key: the file is not made here.
  private static func key(_ path: String) -> Finding {
    let isThere = Files.exists(path)
    return Finding("key", isThere ? path : "\(path), made at the first start") {
      try Sodium.load()
      if isThere {
        _ = try EncryptionKey.load(path)
      } else if let slash = path.lastIndex(of: "/"), !ConfigurationCheck.isWritable(String(path[..<slash])) {
        throw SystemFault.cannotWrite(path: path, code: EACCES)
      }
    }
  }
}
