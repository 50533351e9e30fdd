import Glibc
import Platform

/// Devices of alsa-lib made of files in a folder, removed at exit.
///
/// alsa-lib reads `ALSA_CONFIG_PATH` once per process: all tests in it share these devices. `clip` reads
/// `clip.raw`, `plugged` what is in `stereo.raw` (48 kHz), `scripted` is `scripted.so`; the other names play to
/// `NAME.raw`.
public enum SoundDevices {
  public static let played = ["plain", "paused", "stopped", "loud", "failing", "ended", "arriving"]

  public static let folder: String = {
    var template = Array("/tmp/hotword-sound-XXXXXX".utf8CString)
    mkdtemp(&template)
    let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var configuration = """
      pcm.nothing { type null }
      pcm.clip {
        type file slave.pcm nothing file /dev/null infile "\(folder)/clip.raw" format raw
        hint { show on description "A recording" }
      }
      pcm.stereo { type file slave.pcm nothing file /dev/null infile "\(folder)/stereo.raw" format raw }
      pcm.plugged { type plug slave { pcm stereo format S16_LE rate 48000 channels 2 } }
      pcm_type.scripted { lib "\(folder)/scripted.so" }
      pcm.scripted { type scripted script "\(folder)/script" }

      """
    for name in played {
      configuration +=
        "pcm.\(name) { type file slave.pcm nothing file \"\(folder)/\(name).raw\" format raw }\n"
    }
    try? Files.write(Array(configuration.utf8), to: "\(folder)/asound.conf")
    setenv("ALSA_CONFIG_PATH", "\(folder)/asound.conf", 1)
    atexit {
      for path in (try? Files.list(below: SoundDevices.folder)) ?? [] { unlink(path) }
      rmdir(SoundDevices.folder)
    }
    return folder
  }()
}
