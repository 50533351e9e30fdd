import CEspeak
import CFlite
import Glibc
import PCM
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
        rate = espeak_Initialize(
          AUDIO_OUTPUT_SYNCHRONOUS, 0, nil,
          Int32(
            espeakINITIALIZE_DONT_EXIT | espeakINITIALIZE_PHONEME_EVENTS | espeakINITIALIZE_PHONEME_IPA))
        if rate > 0 { espeak_SetSynthCallback(receiveSpeech) }
        flite_init()
      }
      return rate
    }
    guard rate > 0 else { throw .noSynthesizer(code: rate) }
  }

  /// `text` as `voice` says it: 16 kHz, −1…1, silence at its ends trimmed; empty where it cannot.
  package func speak(_ text: String, _ voice: SynthesisVoice) -> [Float] {
    pronounce(.text(text), voice).samples
  }

  /// The same of any wording; flite cannot say sounds.
  package func speak(_ wording: SynthesisInput, _ voice: SynthesisVoice) -> [Float] {
    pronounce(wording, voice).samples
  }

  /// What a voice said, and its sounds in order.
  package struct Speech: Sendable {
    package var samples: [Float] = []
    package var phonemes: [Phoneme.Span] = []
  }

  /// As ``speak(_:_:)``, with the sounds and the samples that they take.
  package func pronounce(_ text: String, _ voice: SynthesisVoice) -> Speech { pronounce(.text(text), voice) }

  /// The same of any wording; flite cannot say sounds.
  package func pronounce(_ wording: SynthesisInput, _ voice: SynthesisVoice) -> Speech {
    let take = Self.library.withLock { _ in
      switch (voice.engine, wording) {
      case (.espeak(let name), _): Self.espeak(wording, name, voice)
      case (.flite, .sounds): Take(rate: 0)
      case (.flite(let name), .text(let text)), (.flite(let name), .english(let text)):
        Self.flite(text, name, voice)
      }
    }
    guard take.samples.count > 400 else { return Speech() }
    let ratio = Double(AudioFormat.sampleRate) / (Double(take.rate) * Double(voice.speed))
    let samples = SpeedChange.resample(take.samples, by: ratio)
    guard let loud = Self.loudPart(samples) else { return Speech() }
    func place(_ seconds: Double) -> Int {
      max(0, min(loud.count, Int(seconds * Double(take.rate) * ratio) - loud.lowerBound))
    }
    let phonemes = take.phonemes.map {
      Phoneme.Span(phoneme: $0.phoneme, samples: place($0.start)..<max(place($0.start), place($0.end)))
    }
    return Speech(samples: Array(samples[loud]), phonemes: phonemes.filter { !$0.samples.isEmpty })
  }

  /// The sounds of a word as American English says it.
  package func phonemes(of word: String) -> [Phoneme] {
    phonemes(of: .text(word), SynthesisVoice(.espeak("en-us")))
  }

  /// The sounds of a word as `voice` says it.
  package func phonemes(of word: SynthesisInput, _ voice: SynthesisVoice) -> [Phoneme] {
    pronounce(word, voice).phonemes.map(\.phoneme).filter { $0 != .silence }
  }

  /// What espeak-ng reads in a text: for each word its names of the sounds, stress as a mark before a name, and
  /// another language's name in parentheses where it changes to that.
  package func sounds(of wording: SynthesisInput, _ language: Language) -> [[String]] {
    Self.library.withLock { _ in
      guard espeak_SetVoiceByName(language.voice) == EE_OK else { return [] }
      // What brackets mean is a mode that only speaking sets.
      _ = espeak_Synth(".", 2, 0, POS_CHARACTER, 0, Self.flags(of: wording), nil, nil)
      let bytes = Array(Self.written(wording).utf8) + [0]
      return bytes.withUnsafeBytes { bytes in
        var rest: UnsafeRawPointer? = bytes.baseAddress
        var words: [[String]] = []
        while rest != nil {
          let mode = Int32(UInt8(ascii: "|")) << 8
          guard let names = espeak_TextToPhonemes(&rest, Int32(espeakCHARS_UTF8), mode) else { break }
          words += String(cString: names).split(separator: " ").map { word in
            word.split(separator: "|").map(String.init).filter { !$0.hasPrefix("_") }
          }
        }
        return words.filter { !$0.isEmpty }
      }
    }
  }

  /// A voice of espeak-ng's: its file's name, and the codes of languages that it speaks with its rank among their
  /// voices, lowest first.
  package struct LanguageVoice: Sendable {
    package let name: String
    package let codes: [String: Int]
  }

  /// espeak-ng's voices of its own, without variants.
  package func voices() -> [LanguageVoice] {
    Self.library.withLock { _ in
      var voices: [LanguageVoice] = []
      guard var entry = espeak_ListVoices(nil) else { return [] }
      while let voice = entry.pointee?.pointee {
        entry += 1
        let file = String(cString: voice.identifier)
        guard !file.hasPrefix("mb/"), let name = file.split(separator: "/").last else { continue }
        var codes: [String: Int] = [:]
        var place = voice.languages
        // Each a rank of one byte and a text; a rank of zero ends them.
        while let code = place, code.pointee != 0 {
          let text = String(cString: code + 1)
          codes[text.lowercased()] = Int(code.pointee)
          place = code + text.utf8.count + 2
        }
        voices.append(LanguageVoice(name: name.lowercased(), codes: codes))
      }
      return voices
    }
  }

  private static func written(_ wording: SynthesisInput) -> String {
    switch wording {
    case .text(let text), .english(let text): text
    case .sounds(let names): "[[\(names)]]"
    }
  }

  private static func flags(of wording: SynthesisInput) -> UInt32 {
    if case .sounds = wording { return UInt32(espeakCHARS_UTF8 | espeakPHONEMES) }
    return UInt32(espeakCHARS_UTF8)
  }

  /// What an engine said: seconds at its own rate.
  private struct Take {
    var samples: [Float] = []
    var rate: Int32
    var phonemes: [(phoneme: Phoneme, start: Double, end: Double)] = []
  }

  private static func espeak(_ wording: SynthesisInput, _ name: String, _ voice: SynthesisVoice) -> Take {
    let rate = espeakRate.withLock { $0 }
    guard espeak_SetVoiceByName(name) == EE_OK else { return Take(rate: rate) }
    srand(1)
    espeak_SetParameter(espeakRATE, Int32(espeakWordsPerMinute * voice.rate), 0)
    espeak_SetParameter(espeakPITCH, Int32(max(0, min(99, 50 + 75 * log2f(voice.pitch)))), 0)
    espeak_SetParameter(espeakRANGE, Int32(max(0, min(99, 50 * voice.range))), 0)
    let take = SpeechTake()
    let bytes = Array(written(wording).utf8) + [0]
    let code = espeak_Synth(
      bytes, bytes.count, 0, POS_CHARACTER, 0, flags(of: wording), nil,
      Unmanaged.passUnretained(take).toOpaque())
    guard code == EE_OK else { return Take(rate: rate) }
    var spoken = Take(samples: take.samples.map { Float($0) / 32_768 }, rate: rate)
    let end = Double(take.samples.count) / Double(rate)
    for (index, sound) in take.sounds.enumerated() {
      let stop = index + 1 < take.sounds.count ? take.sounds[index + 1].start : end
      let parts = Phoneme.sequence(ipa: sound.name, english: name.hasPrefix("en"))
      let length = (stop - sound.start) / Double(max(1, parts.count))
      for (part, phoneme) in parts.enumerated() {
        let start = sound.start + Double(part) * length
        spoken.phonemes.append((phoneme, start, start + length))
      }
    }
    return spoken
  }

  private static func flite(_ text: String, _ name: FliteVoice, _ voice: SynthesisVoice) -> Take {
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
    guard let pointer = UnsafeMutablePointer<cst_voice>(bitPattern: speaker) else {
      return Take(rate: 16_000)
    }
    srand(1)
    feat_set_float(pointer.pointee.features, "duration_stretch", 1 / voice.rate)
    guard let utterance = flite_synth_text(text, pointer) else { return Take(rate: 16_000) }
    defer { delete_utterance(utterance) }
    guard let wave = utt_wave(utterance), wave.pointee.num_channels == 1 else { return Take(rate: 16_000) }
    let count = min(Int(wave.pointee.num_samples), Int(wave.pointee.sample_rate) * 20)
    var take = Take(
      samples: UnsafeBufferPointer(start: wave.pointee.samples, count: count).map { Float($0) / 32_768 },
      rate: wave.pointee.sample_rate)
    var item = relation_head(utt_relation(utterance, "Segment"))
    var start = 0.0
    while let segment = item {
      let end = Double(item_feat_float(segment, "end"))
      if let phoneme = Phoneme(arpabet: String(cString: item_feat_string(segment, "name"))) {
        take.phonemes.append((phoneme, start, end))
      }
      start = end
      item = item_next(segment)
    }
    return take
  }

  /// The loud part: espeak-ng ends with silence, flite begins and ends with it.
  private static func loudPart(_ samples: [Float]) -> Range<Int>? {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    guard peak > 0.002 else { return nil }
    let floor = peak * 0.012
    guard let first = samples.firstIndex(where: { abs($0) > floor }),
      let last = samples.lastIndex(where: { abs($0) > floor })
    else { return nil }
    return first..<last + 1
  }
}

/// What espeak-ng has said of one text so far.
private final class SpeechTake {
  var samples: [Int16] = []
  /// Names in the International Phonetic Alphabet with the second at which they begin.
  var sounds: [(name: String, start: Double)] = []
}

private func receiveSpeech(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32, _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let events, let data = events.pointee.user_data else { return 0 }
  let take = Unmanaged<SpeechTake>.fromOpaque(data).takeUnretainedValue()
  var event = events
  while event.pointee.type != espeakEVENT_LIST_TERMINATED {
    if event.pointee.type == espeakEVENT_PHONEME {
      let name = withUnsafeBytes(of: event.pointee.id.string) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      take.sounds.append((name, Double(event.pointee.audio_position) / 1000))
    }
    event += 1
  }
  guard let samples, count > 0 else { return 0 }
  take.samples += UnsafeBufferPointer(start: samples, count: Int(count))
  // A text that never ends is cut after 20 s.
  return take.samples.count > 441_000 ? 1 : 0
}
