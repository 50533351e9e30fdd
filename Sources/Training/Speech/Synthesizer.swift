import CEspeak
import CFlite
import Glibc
import Platform
import Synchronization

/// Speech from text, in process, by espeak-ng and flite.
///
/// Both libraries hold state of the whole process, so calls wait for each other. One process that speaks the same texts in the same order gets the same samples; espeak-ng carries its
/// glottal noise from one utterance to the next, so another order gives inaudibly other ones.
package final class Synthesizer {
  private static let library = Mutex(())
  private static let espeakRate = Mutex<Int32>(0)
  private static let espeakWordsPerMinute: Float = 165
  private static let voices = Mutex<[FliteVoice: UInt]>([:])

  /// - Throws: ``TrainingFault/noSynthesizer(code:)`` where espeak-ng finds no data.
  package init() throws(TrainingFault) {
    let rate = Self.espeakRate.withLock { rate in
      if rate <= 0 {
        rate = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, nil, Int32(espeakINITIALIZE_DONT_EXIT))
        if rate > 0 { espeak_SetSynthCallback(receiveSpeech) }
        flite_init()
      }
      return rate
    }
    guard rate > 0 else { throw .noSynthesizer(code: rate) }
  }

  /// `text` as `voice` says it: 16 kHz, −1…1, silence at its ends trimmed; empty where it cannot.
  package func speak(_ text: String, _ voice: Voice) -> [Float] {
    let (samples, rate) = Self.library.withLock { _ in
      switch voice.engine {
      case .espeak(let name): Self.espeak(text, name, voice)
      case .flite(let name): Self.flite(text, name, voice)
      }
    }
    guard samples.count > 400 else { return [] }
    let ratio = Double(AudioFormat.sampleRate) / (Double(rate) * Double(voice.speed))
    return Self.trimmed(SpeedChange.resample(samples, by: ratio))
  }

  private static func espeak(_ text: String, _ name: String, _ voice: Voice) -> ([Float], Int32) {
    let rate = espeakRate.withLock { $0 }
    guard espeak_SetVoiceByName(name) == EE_OK else { return ([], rate) }
    srand(1)
    espeak_SetParameter(espeakRATE, Int32(espeakWordsPerMinute * voice.rate), 0)
    espeak_SetParameter(espeakPITCH, Int32(max(0, min(99, 50 + 75 * log2f(voice.pitch)))), 0)
    espeak_SetParameter(espeakRANGE, Int32(max(0, min(99, 50 * voice.range))), 0)
    let take = SpeechTake()
    let bytes = Array(text.utf8) + [0]
    let code = espeak_Synth(
      bytes, bytes.count, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil,
      Unmanaged.passUnretained(take).toOpaque())
    guard code == EE_OK else { return ([], rate) }
    return (take.samples.map { Float($0) / 32_768 }, rate)
  }

  private static func flite(_ text: String, _ name: FliteVoice, _ voice: Voice) -> ([Float], Int32) {
    let speaker = voices.withLock { voices in
      if let known = voices[name] { return known }
      let loaded =
        switch name {
        case .kal16: register_cmu_us_kal16(nil)
        case .slt: register_cmu_us_slt(nil)
        case .rms: register_cmu_us_rms(nil)
        case .awb: register_cmu_us_awb(nil)
        }
      let address = UInt(bitPattern: loaded)
      voices[name] = address
      return address
    }
    guard let pointer = UnsafeMutablePointer<cst_voice>(bitPattern: speaker) else { return ([], 16_000) }
    srand(1)
    feat_set_float(pointer.pointee.features, "duration_stretch", 1 / voice.rate)
    guard let wave = flite_text_to_wave(text, pointer) else { return ([], 16_000) }
    defer { delete_wave(wave) }
    guard wave.pointee.num_channels == 1 else { return ([], 16_000) }
    let count = min(Int(wave.pointee.num_samples), Int(wave.pointee.sample_rate) * 20)
    let samples = UnsafeBufferPointer(start: wave.pointee.samples, count: count).map { Float($0) / 32_768 }
    return (samples, wave.pointee.sample_rate)
  }

  /// The loud part: espeak-ng ends with silence, flite begins and ends with it.
  private static func trimmed(_ samples: [Float]) -> [Float] {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    guard peak > 0.002 else { return [] }
    let floor = peak * 0.012
    guard let first = samples.firstIndex(where: { abs($0) > floor }),
      let last = samples.lastIndex(where: { abs($0) > floor })
    else { return [] }
    return Array(samples[first...last])
  }
}

/// What espeak-ng has said of one text so far.
private final class SpeechTake {
  var samples: [Int16] = []
}

private func receiveSpeech(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32, _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let samples, count > 0, let data = events?.pointee.user_data else { return 0 }
  let take = Unmanaged<SpeechTake>.fromOpaque(data).takeUnretainedValue()
  take.samples += UnsafeBufferPointer(start: samples, count: Int(count))
  // A text that never ends is cut after 20 s.
  return take.samples.count > 441_000 ? 1 : 0
}
