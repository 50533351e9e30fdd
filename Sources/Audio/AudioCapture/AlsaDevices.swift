import CALSA
import Glibc

/// A capture device.
public struct AlsaDevice: Sendable, Equatable {
  /// ALSA's name, as in `alsa:NAME`.
  public let name: String
  /// The description in the driver or the configuration, on one line.
  public let description: String

  public init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}

/// The capture devices of the sound cards and of alsa-lib's configuration.
public enum AlsaDevices {
  /// All capture devices in ALSA's order; empty without a sound system.
  public static func list() -> [AlsaDevice] {
    hotword_alsa_silence()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var devices: [AlsaDevice] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      // No direction means both.
      guard let name = text(hint, "NAME"), name != "null", text(hint, "IOID") ?? "Input" == "Input" else {
        continue
      }
      let lines = (text(hint, "DESC") ?? "").split(separator: "\n")
      devices.append(AlsaDevice(name: name, description: lines.joined(separator: ", ")))
    }
    return devices
  }

  /// Opens the device and closes it again.
  ///
  /// - Returns: the sample rate in Hz and the channels that capture would use.
  /// - Throws: ``CaptureFault`` if the device cannot capture.
  public static func probe(_ name: String) throws(CaptureFault) -> (sampleRate: Int, channels: Int) {
    let pcm = try AlsaPCM(name)
    return (pcm.rate, pcm.channels)
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ field: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, field) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
