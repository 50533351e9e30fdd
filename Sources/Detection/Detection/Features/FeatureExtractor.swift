import CFFTW
import CKernels
import Glibc
import Platform

/// Computes mel-frequency cepstra of one stream of 10 ms frames, one vector per frame.
///
/// Each vector describes the last `window` samples, so its window ends where the pushed frame ends: Hann
/// window, power spectrum, mel bands, logarithm above a floor, minus a slow causal mean, orthonormal cosine
/// transform (Davis and Mermelstein, 1980). One instance belongs to one stream and one thread at a time.
///
/// The mean starts at a prior with the weight of `priorFrames` vectors. Each vector x updates it after the subtraction:
/// y = x - m, m += y / min(priorFrames + t, 1 / (1 - meanDecay)), t = 1, 2, …. So it is the average of the prior and all
/// vectors until its time constant is reached, and an exponential average after that.
public final class FeatureExtractor {
  public let settings: FeatureSettings

  private let history: UnsafeMutablePointer<Int16>
  private let transform: FourierTransform
  private let plan: OpaquePointer
  private let windowed: UnsafeMutablePointer<Float>
  private let spectrum: UnsafeMutablePointer<Float>
  private let hann: UnsafeMutablePointer<Float>
  private let power: UnsafeMutablePointer<Float>
  private let weights: UnsafeMutablePointer<Float>
  private let first: UnsafeMutablePointer<Int32>
  private let offset: UnsafeMutablePointer<Int32>
  private let floor: UnsafeMutablePointer<Float>
  private let prior: UnsafeMutablePointer<Float>
  private let mean: UnsafeMutablePointer<Float>
  private let normalized: UnsafeMutablePointer<Float>
  private let basis: UnsafeMutablePointer<Float>
  /// The bands of the last vector before the subtraction of the mean: natural logarithms of power.
  package let logMel: UnsafeMutablePointer<Float>

  private let window: Int32
  private let hop: Int32
  private let bins: Int32
  private let bands: Int32
  private let coefficients: Int32
  private let smallestShare: Float
  private let priorWeight: Float
  private var samples = 0
  private var weight: Float

  /// Creates an extractor at the start of a stream. Allocates.
  ///
  /// - Parameter warp: 1 for detection; for training, 0.8...1.25 simulates a shorter (> 1) or longer vocal tract by scaling
  ///   the frequencies of the bands.
  /// - Throws: ``DetectionFault/badSetting(name:allowed:)``.
  public init(_ settings: FeatureSettings, warp: Double = 1) throws(DetectionFault) {
    try settings.check()
    guard warp >= 0.5, warp <= 2 else {
      throw .badSetting(name: "warp", allowed: "from 0.5 to 2")
    }
    self.settings = settings
    let bank = MelBank(settings, warp: warp)
    let levels = MelBank(settings, warp: 1).centers.map {
      settings.floor + settings.floorSlope * log2(max($0, 1) / 1000)
    }
    transform = FourierTransform(size: settings.fft)
    plan = transform.plan
    windowed = transform.samples
    spectrum = transform.spectrum
    history = Self.copy([Int16](repeating: 0, count: settings.window))
    hann = Self.copy(Self.hann(settings.window))
    power = Self.copy([Float](repeating: 0, count: settings.fft / 2 + 1))
    weights = Self.copy(bank.weights)
    first = Self.copy(bank.first)
    offset = Self.copy(bank.offset)
    floor = Self.copy(levels.map { Float(pow(10, $0 / 10)) })
    prior = Self.copy(levels.map { Float(($0 + settings.priorLevel) * log(10) / 10) })
    mean = Self.copy([Float](repeating: 0, count: settings.melBands))
    normalized = Self.copy([Float](repeating: 0, count: settings.melBands))
    basis = Self.copy(Self.cosines(settings.melBands, settings.coefficients))
    logMel = Self.copy([Float](repeating: 0, count: settings.melBands))
    window = Int32(settings.window)
    hop = Int32(settings.hop)
    bins = Int32(settings.fft / 2 + 1)
    bands = Int32(settings.melBands)
    coefficients = Int32(settings.coefficients)
    smallestShare = Float(1 - settings.meanDecay)
    priorWeight = Float(settings.priorFrames)
    weight = priorWeight
    mean.update(from: prior, count: settings.melBands)
  }

  deinit {
    history.deallocate()
    hann.deallocate()
    power.deallocate()
    weights.deallocate()
    first.deallocate()
    offset.deallocate()
    floor.deallocate()
    prior.deallocate()
    mean.deallocate()
    normalized.deallocate()
    basis.deallocate()
    logMel.deallocate()
  }

  /// Processes `frame` (`hop` samples) and writes `coefficients` numbers to `output`, except while the window is not full:
  /// after the first two frames of a stream. Real-time safe.
  ///
  /// - Returns: whether `output` was written.
  @_noAllocation @_noLocks
  public func push(
    _ frame: UnsafeBufferPointer<Int16>, into output: UnsafeMutableBufferPointer<Float>
  ) -> Bool {
    let (input, size) = (Int(hop), Int(coefficients))
    precondition(frame.count == input && output.count == size)
    hotword_shift(history, window, frame.baseAddress.unsafelyUnwrapped, hop)
    samples = min(samples + Int(hop), Int(window))
    guard samples == Int(window) else { return false }
    hotword_window(history, hann, windowed, window)
    fftwf_run(plan)
    hotword_power(spectrum, power, bins)
    hotword_log_mel(power, weights, first, offset, floor, logMel, bands)
    weight += 1
    hotword_normalize(logMel, mean, max(1 / weight, smallestShare), normalized, bands)
    hotword_cosines(
      normalized, basis, output.baseAddress.unsafelyUnwrapped, bands, coefficients)
    return true
  }

  /// Resets to the start of a stream: the output equals that of a new instance. Real-time safe.
  @_noAllocation @_noLocks
  public func reset() {
    samples = 0
    weight = priorWeight
    hotword_copy(prior, mean, bands)
  }

  /// The vectors of a whole signal, one after the other, without an incomplete last frame. Allocates.
  ///
  /// Continues the stream: call ``reset()`` before a new signal.
  public func vectors(of samples: [Int16]) -> [Float] {
    let length = Int(hop)
    let size = Int(coefficients)
    let frames = samples.count / length
    return [Float](unsafeUninitializedCapacity: frames * size) { output, count in
      samples.withUnsafeBufferPointer { input in
        for frame in 0..<frames {
          let written = push(
            UnsafeBufferPointer(rebasing: input[frame * length..<(frame + 1) * length]),
            into: UnsafeMutableBufferPointer(rebasing: output[count..<count + size]))
          if written { count += size }
        }
      }
    }
  }
}

extension FeatureExtractor {
  /// A periodic Hann window for 16-bit samples, scaled so that white noise has its mean square in every bin.
  private static func hann(_ count: Int) -> [Float] {
    let shape = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(count)) }
    let scale = 1 / (32_768 * shape.reduce(0) { $0 + $1 * $1 }.squareRoot())
    return shape.map { Float($0 * scale) }
  }

  /// The orthonormal DCT-II as a matrix [bands][coefficients].
  private static func cosines(_ bands: Int, _ coefficients: Int) -> [Float] {
    (0..<bands).flatMap { band in
      (0..<coefficients).map { index in
        let scale = ((index == 0 ? 1 : 2) / Double(bands)).squareRoot()
        return Float(scale * cos(.pi * Double(index) * (Double(band) + 0.5) / Double(bands)))
      }
    }
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    pointer.initialize(from: elements, count: elements.count)
    return pointer
  }
}
