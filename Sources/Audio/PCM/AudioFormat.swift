/// The one internal audio format: 16 kHz, mono, 16-bit, in frames of 10 ms.
///
/// Its numbers are transparent so that code for the audio thread can use them in debug builds too.
public enum AudioFormat {
  /// Samples per second.
  @_transparent
  public static var sampleRate: Int { 16_000 }
  /// Samples in one 10 ms frame.
  @_transparent
  public static var frameLength: Int { 160 }

  /// The duration of `samples` in seconds.
  @_noAllocation @_noLocks
  public static func seconds(_ samples: Int) -> Double { Double(samples) / Double(sampleRate) }

  /// The number of whole samples nearest to `seconds`.
  @_noAllocation @_noLocks
  public static func samples(_ seconds: Double) -> Int {
    let exact = seconds * Double(sampleRate)
    // Half away from zero; `rounded()` would need run-time metadata.
    let whole = Int(exact)
    let rest = exact - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }
}

/// A position in a stream: samples at 16 kHz since it began, gaps included.
public typealias SampleIndex = Int
