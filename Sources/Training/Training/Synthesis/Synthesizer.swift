import CFlite
import Espeak
import Glibc
import PCM
import Platform
import Synchronization

/// Synthesizes speech in process, with espeak-ng and flite, and with the programs of ``InstalledVoice``.
///
/// Both libraries have global state, so calls wait for each other. The same texts in the same order produce
/// the same samples within one process. espeak-ng keeps its glottal noise from one utterance to the next, so
/// another order causes inaudible differences.
package final class Synthesizer {
  private static let espeakWordsPerMinute: Float = 165
  /// The maximum length of an utterance in seconds; longer ones are cut.
  private static let longest = 20.0
  /// flite keeps the address of a feature's name.
  private static let durationStretch: StaticString = "duration_stretch"
  /// The addresses of the loaded flite voices; nil before the library is initialized.
  private static let fliteVoices = Mutex<[FliteVoice: UInt]?>(nil)

  private let espeak: Espeak

  /// - Throws: ``TrainingFault/noSynthesizer(_:)``.
  package init() throws(TrainingFault) {
    do throws(EspeakFault) {
      espeak = try Espeak()
    } catch {
      throw .noSynthesizer(error)
    }
  }

  /// Returns `text` spoken by `voice`: 16 kHz, −1…1, without silence at its ends; empty if the voice cannot
  /// speak it.
  package func speak(_ text: String, _ voice: SynthesisVoice) -> [Float] {
    pronounce(.text(text), voice).samples
  }

  /// The same for any input; flite does not support sounds.
  package func speak(_ input: SynthesisInput, _ voice: SynthesisVoice) -> [Float] {
    pronounce(input, voice).samples
  }

  /// Synthesized speech with its sounds in order.
  package struct Speech: Sendable {
    package var samples: [Float] = []
    package var phonemes: [Phoneme.Span] = []
  }

  /// Like ``speak(_:_:)``, with the sounds and their ranges of samples.
  package func pronounce(_ text: String, _ voice: SynthesisVoice) -> Speech { pronounce(.text(text), voice) }

  /// The same for any input; flite does not support sounds.
  package func pronounce(_ input: SynthesisInput, _ voice: SynthesisVoice) -> Speech {
    let output =
      switch (voice.engine, input) {
      case (.espeak(let name), _): byEspeak(input, name, voice)
      case (.flite, .sounds), (.installed, .sounds), (.command, _): Output(rate: 0)
      case (.installed(let name), .text(let text)), (.installed(let name), .english(let text)):
        Output(
          samples: name.speak(text, rate: voice.rate, pitch: voice.pitch), rate: AudioFormat.sampleRate)
      case (.flite(let name), .text(let text)), (.flite(let name), .english(let text)):
        // Both libraries use the same sequence of random numbers.
        espeak.exclusively { Self.byFlite(text, name, voice) }
      }
    return Self.finished(output, voice)
  }

  /// Returns what a ``SynthesizerCommand`` spoke as the speech of `voice`.
  package static func finished(_ samples: [Float], _ voice: SynthesisVoice) -> [Float] {
    finished(Output(samples: samples, rate: AudioFormat.sampleRate), voice).samples
  }

  /// Returns the output of an engine at the speed of `voice`, without silence at its ends.
  private static func finished(_ output: Output, _ voice: SynthesisVoice) -> Speech {
    guard output.samples.count > 400 else { return Speech() }
    let ratio = Double(AudioFormat.sampleRate) / (Double(output.rate) * Double(voice.speed))
    let samples = SpeedChange.resample(output.samples, by: ratio)
    guard let loud = loudPart(samples) else { return Speech() }
    func place(_ seconds: Double) -> Int {
      max(0, min(loud.count, Int(seconds * Double(output.rate) * ratio) - loud.lowerBound))
    }
    let phonemes = output.phonemes.map {
      Phoneme.Span(phoneme: $0.phoneme, samples: place($0.start)..<max(place($0.start), place($0.end)))
    }
    return Speech(samples: Array(samples[loud]), phonemes: phonemes.filter { !$0.samples.isEmpty })
  }

  /// Returns the sounds of a word in American English.
  package func phonemes(of word: String) -> [Phoneme] {
    phonemes(of: .text(word), SynthesisVoice(.espeak("en-us")))
  }

  /// Returns the sounds of a word spoken by `voice`.
  package func phonemes(of word: SynthesisInput, _ voice: SynthesisVoice) -> [Phoneme] {
    pronounce(word, voice).phonemes.map(\.phoneme).filter { $0 != .silence }
  }

  /// Returns espeak-ng's names of the sounds of each word, with stress as a mark before a name. Where
  /// espeak-ng switches to another language, the list contains that language's name in parentheses.
  package func sounds(of input: SynthesisInput, _ language: Language) -> [[String]] {
    espeak.phonemes(of: Self.input(input), voice: language.voice)
  }

  /// Returns espeak-ng's voices, without variants.
  package func voices() -> [Espeak.Voice] { espeak.voices() }

  private static func input(_ input: SynthesisInput) -> Espeak.Input {
    switch input {
    case .text(let text), .english(let text): .text(text)
    case .sounds(let names): .phonemes(names)
    }
  }

  /// The output of an engine; times in seconds at its own rate.
  private struct Output {
    var samples: [Float] = []
    var rate: Int
    var phonemes: [(phoneme: Phoneme, start: Double, end: Double)] = []
  }

  private func byEspeak(_ input: SynthesisInput, _ name: String, _ voice: SynthesisVoice) -> Output {
    let style = Espeak.Style(
      voice: name, wordsPerMinute: Int(Self.espeakWordsPerMinute * voice.rate),
      pitch: Int(max(0, min(99, 50 + 75 * log2f(voice.pitch)))),
      range: Int(max(0, min(99, 50 * voice.range))))
    guard let speech = espeak.speak(Self.input(input), style, limit: Self.longest) else {
      return Output(rate: espeak.sampleRate)
    }
    var output = Output(samples: speech.samples.map { Float($0) / 32_768 }, rate: espeak.sampleRate)
    let end = Double(speech.samples.count) / Double(espeak.sampleRate)
    for (index, sound) in speech.phonemes.enumerated() {
      let stop = index + 1 < speech.phonemes.count ? speech.phonemes[index + 1].start : end
      let parts = Phoneme.sequence(ipa: sound.name, english: name.hasPrefix("en"))
      let length = (stop - sound.start) / Double(max(1, parts.count))
      for (part, phoneme) in parts.enumerated() {
        let start = sound.start + Double(part) * length
        output.phonemes.append((phoneme, start, start + length))
      }
    }
    return output
  }

  private static func byFlite(_ text: String, _ name: FliteVoice, _ voice: SynthesisVoice) -> Output {
    fliteVoices.withLock { voices in
      var loaded = voices ?? [:]
      if voices == nil { flite_init() }
      let speaker = loaded[name] ?? UInt(bitPattern: Self.register(name))
      loaded[name] = speaker
      voices = loaded
      return speak(text, speaker, voice)
    }
  }

  private static func register(_ name: FliteVoice) -> UnsafeMutablePointer<cst_voice>? {
    switch name {
    case .kal16: register_cmu_us_kal16(nil)
    case .slt: register_cmu_us_slt(nil)
    case .rms: register_cmu_us_rms(nil)
    case .awb: register_cmu_us_awb(nil)
    }
  }

  private static func speak(_ text: String, _ speaker: UInt, _ voice: SynthesisVoice) -> Output {
    guard let pointer = UnsafeMutablePointer<cst_voice>(bitPattern: speaker) else {
      return Output(rate: 16_000)
    }
    srand(1)
    Self.durationStretch.withUTF8Buffer { name in
      name.withMemoryRebound(to: CChar.self) {
        feat_set_float(pointer.pointee.features, $0.baseAddress, 1 / voice.rate)
      }
    }
    guard let utterance = flite_synth_text(text, pointer) else { return Output(rate: 16_000) }
    defer { delete_utterance(utterance) }
    guard let wave = utt_wave(utterance), wave.pointee.num_channels == 1 else { return Output(rate: 16_000) }
    let count = min(Int(wave.pointee.num_samples), Int(wave.pointee.sample_rate) * 20)
    var output = Output(
      samples: UnsafeBufferPointer(start: wave.pointee.samples, count: count).map { Float($0) / 32_768 },
      rate: Int(wave.pointee.sample_rate))
    var item = relation_head(utt_relation(utterance, "Segment"))
    var start = 0.0
    while let segment = item {
      let end = Double(item_feat_float(segment, "end"))
      if let phoneme = Phoneme(arpabet: String(cString: item_feat_string(segment, "name"))) {
        output.phonemes.append((phoneme, start, end))
      }
      start = end
      item = item_next(segment)
    }
    return output
  }

  /// Returns the loud part: espeak-ng's output ends with silence, flite's starts and ends with it.
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
