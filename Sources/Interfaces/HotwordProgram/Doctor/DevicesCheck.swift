import AudioCapture
import Glibc

/// Which sound devices can be heard, and whether the user may.
enum DevicesCheck {
  /// Where the kernel keeps its sound devices.
  private static let folder = "/dev/snd"

  static func run() -> [Finding] {
    var heard: [String] = []
    var busy: [String] = []
    var forbidden: [String] = []
    StandardError.silenced {
      for device in AlsaDevices.list() {
        do throws(CaptureFault) {
          _ = try AlsaDevices.probe(device.name)
          heard.append(device.name)
        } catch {
          switch error {
          case .deviceBusy: busy.append(device.name)
          case .devicePermission: forbidden.append(device.name)
          default: break
          }
        }
      }
    }
    return [permission(), devices(heard, busy, forbidden)].compactMap(\.self)
  }

  private static func devices(_ heard: [String], _ busy: [String], _ forbidden: [String]) -> Finding {
    var parts = [heard.isEmpty ? "none can be heard" : "\(list(heard)) can be heard"]
    if !busy.isEmpty { parts.append("\(list(busy)) held by another program") }
    if !forbidden.isEmpty { parts.append("\(list(forbidden)) not permitted") }
    let text = parts.joined(separator: ", ")
    if !busy.isEmpty, heard.isEmpty {
      return .warning("devices", "\(text); end that program ('fuser -v \(folder)/*' names it)")
    }
    if heard.isEmpty { return .warning("devices", "\(text); plug a microphone in, or give --input") }
    return .ok("devices", text)
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(4).joined(separator: ", ")
    return names.count > 4 ? "\(shown) and \(names.count - 4) more" : shown
  }

  /// Whether the kernel's capture devices may be opened; nil where there are none.
  private static func permission() -> Finding? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var closed: String?
    var isThere = false
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix("pcm"), name.hasSuffix("c") else { continue }
      isThere = true
      if access("\(folder)/\(name)", R_OK | W_OK) != 0 { closed = "\(folder)/\(name)" }
    }
    guard isThere else { return nil }
    guard let closed else { return .ok("permission", "the sound devices may be opened") }
    let mend =
      isInGroupAudio
      ? "see its mode with 'ls -l'" : "'sudo adduser $USER audio', then log in anew"
    return .warning("permission", "\(closed) may not be opened; \(mend)")
  }

  private static var isInGroupAudio: Bool {
    guard let group = getgrnam("audio")?.pointee.gr_gid else { return false }
    var groups = [gid_t](repeating: 0, count: 1024)
    let count = getgroups(Int32(groups.count), &groups)
    return getegid() == group || groups.prefix(max(0, Int(count))).contains(group)
  }
}
