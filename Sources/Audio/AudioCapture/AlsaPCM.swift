import CALSA
import Glibc
import PCM
import Platform

/// An open capture device of alsa-lib, with its format and the memory for one period.
///
/// After ``start()`` only the capture thread may use it.
package final class AlsaPCM: @unchecked Sendable {
  /// The result of ``moveOnePeriod(to:)``.
  package enum Step {
    /// Frames were delivered.
    case delivered
    /// No frames within 100 ms.
    case quiet
    /// ALSA's error, as a positive `errno`.
    case failed(Int32)
  }

  let name: String
  let rate: Int
  let channels: Int
  private let handle: OpaquePointer
  private let converter: PeriodConverter
  private let periodFrames: Int
  private let bufferFrames: Int
  private let bytes: UnsafeMutableRawPointer
  private let byteCount: Int
  /// Frames that the device may deliver before it counts as faster than real time.
  private var credit: Double
  private var creditTime = 0.0

  /// The time of the last sample delivered, by ALSA; the time of the start before the first one.
  private(set) var lastSampleTime = 0.0

  /// Sample rates in the order in which they are tried: 16 kHz, then those of hardware.
  private static let rates = [16_000, 48_000, 44_100, 32_000, 96_000, 24_000, 22_050, 88_200, 192_000, 8_000]
  /// Periods in the device's buffer, 8…20.
  private static let periods = 16
  /// Crystals deviate by less than a thousandth. A faster device (`type file`, `type null`) has no clock and is slowed
  /// down to real time.
  private static let fastestClock = 1.005
  private static let waitMilliseconds: Int32 = 100

  /// Opens and configures the device.
  ///
  /// - Parameter channel: the only channel to use, counted from zero; nil for the mean of all.
  package init(_ name: String, channel: Int? = nil) throws(CaptureFault) {
    hotword_alsa_silence()
    var opened: OpaquePointer?
    let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let opened else { throw Self.fault(name, -code) }
    let found: Configuration
    do {
      found = try Configuration(
        opened, name: name, channel: channel, rates: Self.rates, periods: Self.periods)
    } catch {
      snd_pcm_close(opened)
      throw error
    }
    handle = opened
    self.name = name
    rate = found.rate
    channels = found.channels
    periodFrames = max(1, found.rate / 100)
    bufferFrames = found.bufferFrames
    credit = Double(found.bufferFrames)
    converter = PeriodConverter(
      format: found.format, channels: found.channels, channel: channel, rate: found.rate,
      periodFrames: periodFrames)
    byteCount = periodFrames * found.channels * found.format.bytes
    bytes = .allocate(byteCount: byteCount, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  deinit {
    snd_pcm_close(handle)
    bytes.deallocate()
  }

  /// Starts the device, or restarts it after an overrun, and resets the resampler.
  ///
  /// - Returns: 0, or ALSA's error as a positive `errno`.
  package func start() -> Int32 {
    var code: Int32 = 0
    if snd_pcm_state(handle) == SND_PCM_STATE_SUSPENDED { code = snd_pcm_resume(handle) }
    if snd_pcm_state(handle) != SND_PCM_STATE_PREPARED { code = snd_pcm_prepare(handle) }
    if code >= 0 { code = snd_pcm_start(handle) }
    converter.reset()
    lastSampleTime = hotword_clock()
    creditTime = lastSampleTime
    return code < 0 ? -code : 0
  }

  /// Waits up to 100 ms for the device, then moves up to 10 ms from it to `ring`.
  @_noAllocation @_noLocks
  package func moveOnePeriod(to ring: SampleRing) -> Step {
    let waited = hotword_pcm_wait(handle, Self.waitMilliseconds)
    if waited < 0 { return .failed(0 &- waited) }
    if waited == 0 { return .quiet }
    // At its end a `type file` device reports frames and leaves the memory unchanged: the result is silence, not a
    // repetition of the last 10 ms.
    var index = 0
    while index < byteCount {
      bytes.storeBytes(of: 0, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
    let count = hotword_pcm_read(handle, bytes, UInt(periodFrames))
    if count == -Int(EAGAIN) || count == 0 { return .quiet }
    if count < 0 { return .failed(Int32(truncatingIfNeeded: 0 &- count)) }
    converter.push(bytes, frames: count, to: ring)
    let now = hotword_clock()
    let left = hotword_pcm_available(handle)
    lastSampleTime = now - (left > 0 ? Double(left) / Double(rate) : 0)
    holdBack(count, now)
    return .delivered
  }

  /// Sleeps if the device delivers faster than real time.
  @_noAllocation @_noLocks
  private func holdBack(_ frames: Int, _ now: Double) {
    let earned = credit + (now - creditTime) * Double(rate) * Self.fastestClock
    let most = Double(bufferFrames &+ periodFrames)
    credit = (earned < most ? earned : most) - Double(frames)
    creditTime = now
    if credit < 0 { hotword_sleep(-credit / (Double(rate) * Self.fastestClock)) }
  }

  /// The fault for ALSA's error `code` (positive) on opening `name`.
  static func fault(_ name: String, _ code: Int32) -> CaptureFault {
    switch code {
    case EBUSY: .deviceBusy(name: name)
    case EACCES, EPERM: .devicePermission(name: name)
    case ENOENT, ENODEV, ENXIO:
      // alsa-lib reports a missing card if it may not open the card's control device.
      access("/dev/snd/controlC0", F_OK) == 0 && access("/dev/snd/controlC0", R_OK) != 0
        ? .devicePermission(name: name) : .noSuchDevice(name: name)
    default: .deviceFailed(name: name, code: code)
    }
  }
}

/// The configuration of a device: its own rate, the fewest channels possible, and a buffer of 10 ms periods.
private struct Configuration {
  var rate = 0
  var channels = 0
  var format = SampleFormat.signed16
  var bufferFrames = 0

  /// The formats that are tried in turn, with ALSA's names.
  private static let formats: [(SampleFormat, snd_pcm_format_t)] = [
    (.signed16, SND_PCM_FORMAT_S16_LE), (.signed32, SND_PCM_FORMAT_S32_LE),
    (.signed24, SND_PCM_FORMAT_S24_3LE), (.signed24In32, SND_PCM_FORMAT_S24_LE),
    (.float32, SND_PCM_FORMAT_FLOAT_LE),
  ]

  init(
    _ handle: OpaquePointer, name: String, channel: Int?, rates: [Int], periods: Int
  ) throws(CaptureFault) {
    let hardware = hotword_hw_params()
    defer { snd_pcm_hw_params_free(hardware) }
    func begin(nativeRates: Bool) -> Int32 {
      let code = snd_pcm_hw_params_any(handle, hardware)
      guard code >= 0 else { return code }
      snd_pcm_hw_params_set_rate_resample(handle, hardware, nativeRates ? 0 : 1)
      return snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)
    }
    // Our resampler is better than those of ALSA's plugins, but some plugins have no rates without their own.
    if begin(nativeRates: true) < 0 {
      let code = begin(nativeRates: false)
      guard code >= 0 else {
        if code == -EINVAL {
          throw .deviceUnsuitable(name: name, reason: "does not provide interleaved samples")
        }
        throw AlsaPCM.fault(name, -code)
      }
    }
    try chooseFormat(handle, hardware, name)
    try chooseChannels(handle, hardware, name, atLeast: (channel ?? 0) + 1)
    try chooseRate(handle, hardware, name, rates)
    var period = snd_pcm_uframes_t(max(1, rate / 100))
    snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, nil)
    var buffer = snd_pcm_uframes_t(max(1, rate / 100) * periods)
    snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer)
    var code = snd_pcm_hw_params(handle, hardware)
    guard code >= 0 else { throw AlsaPCM.fault(name, -code) }
    bufferFrames = Int(buffer)

    let software = hotword_sw_params()
    defer { snd_pcm_sw_params_free(software) }
    snd_pcm_sw_params_current(handle, software)
    snd_pcm_sw_params_set_avail_min(handle, software, min(period, snd_pcm_uframes_t(max(1, rate / 100))))
    code = snd_pcm_sw_params(handle, software)
    guard code >= 0 else { throw AlsaPCM.fault(name, -code) }
  }

  private mutating func chooseFormat(
    _ handle: OpaquePointer, _ hardware: OpaquePointer?, _ name: String
  ) throws(CaptureFault) {
    for (candidate, name) in Self.formats
    where snd_pcm_hw_params_set_format(handle, hardware, name) >= 0 {
      format = candidate
      return
    }
    throw .deviceUnsuitable(name: name, reason: "has no 16-, 24- or 32-bit samples")
  }

  private mutating func chooseChannels(
    _ handle: OpaquePointer, _ hardware: OpaquePointer?, _ name: String, atLeast least: Int
  ) throws(CaptureFault) {
    for candidate in least...max(least, 64)
    where snd_pcm_hw_params_set_channels(handle, hardware, UInt32(candidate)) >= 0 {
      channels = candidate
      return
    }
    throw .deviceUnsuitable(name: name, reason: "has fewer than \(least) channels")
  }

  private mutating func chooseRate(
    _ handle: OpaquePointer, _ hardware: OpaquePointer?, _ name: String, _ rates: [Int]
  ) throws(CaptureFault) {
    for candidate in rates where snd_pcm_hw_params_set_rate(handle, hardware, UInt32(candidate), 0) >= 0 {
      rate = candidate
      return
    }
    var near: UInt32 = 48_000
    guard snd_pcm_hw_params_set_rate_near(handle, hardware, &near, nil) >= 0,
      Resampler.inputRates.contains(Int(near))
    else { throw .deviceUnsuitable(name: name, reason: "has no sample rate that can be used") }
    rate = Int(near)
  }
}
