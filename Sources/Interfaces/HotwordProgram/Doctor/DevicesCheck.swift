import AudioCapture
import Glibc
import Platform

/// Which audio devices can be used, and whether the user has the permission.
enum DevicesCheck {
  /// The folder of the kernel's audio devices.
  private static let folder = "/dev/snd"

  static func run() -> [Finding] {
    var usable: [String] = []
    var busy: [String] = []
    var forbidden: [String] = []
    StandardError.silenced {
      for device in AlsaDevices.list() {
        do throws(CaptureFault) {
          _ = try AlsaDevices.probe(device.name)
          usable.append(device.name)
        } catch {
          switch error {
          case .deviceBusy: busy.append(device.name)
          case .devicePermission: forbidden.append(device.name)
          default: break
          }
        }
      }
    }
    return [permission(), devices(usable, busy, forbidden)].compactMap(\.self)
  }

  private static func devices(_ usable: [String], _ busy: [String], _ forbidden: [String]) -> Finding {
    var parts = [usable.isEmpty ? "no usable device" : "\(list(usable)) can be used"]
    if !busy.isEmpty { parts.append("\(list(busy)) in use by another program") }
    if !forbidden.isEmpty { parts.append("\(list(forbidden)) permission denied") }
    let text = parts.joined(separator: ", ")
    if !busy.isEmpty, usable.isEmpty {
      return .warning("devices", "\(text); end that program ('fuser -v \(folder)/*' shows it)")
    }
    if usable.isEmpty { return .warning("devices", "\(text); connect a microphone, or give --input") }
    return .ok("devices", text)
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(4).joined(separator: ", ")
    return names.count > 4 ? "\(shown) and \(names.count - 4) more" : shown
  }

  /// Whether the user may open the kernel's capture devices; nil if there are none.
  private static func permission() -> Finding? {
    let names = (try? Files.names(in: folder)) ?? []
    let devices = names.filter { $0.hasPrefix("pcm") && $0.hasSuffix("c") }.map { "\(folder)/\($0)" }
    guard !devices.isEmpty else { return nil }
    guard let closed = devices.last(where: { access($0, R_OK | W_OK) != 0 }) else {
      return .ok("permission", "you may open the audio devices")
    }
    let fix =
      isInGroupAudio
      ? "check its mode with 'ls -l'" : "run 'sudo adduser $USER audio' and log in again"
    return .warning("permission", "\(closed): permission denied; \(fix)")
  }

  private static var isInGroupAudio: Bool {
    guard let group = getgrnam("audio")?.pointee.gr_gid else { return false }
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(Int32(groups.count), &groups)
    return getegid() == group || groups.prefix(max(0, Int(count))).contains(group)
  }
}
