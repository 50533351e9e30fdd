import CHotword
import Detection
import Hotword
import PCM
import Platform

// The real-time safe functions of hotword.h.

private let failed: CInt = -1

@_cdecl("hotword_run") @_noAllocation @_noLocks
public func run(_ detector: OpaquePointer?, _ samples: UnsafePointer<Int16>?, _ count: CInt) -> CInt {
  guard let instance = instance(of: detector) else { return failed }
  guard count >= 0 else {
    InvalidCall.negativeCount.setLastError()
    return failed
  }
  guard samples != nil || count == 0 else {
    InvalidCall.noSamples.setLastError()
    return failed
  }
  let input = UnsafeBufferPointer(start: samples, count: Int(count))
  return number(
    instance._withUnsafeGuaranteedRef { $0.detector._withUnsafeGuaranteedRef { $0.process(input) } })
}

@_cdecl("hotword_finish") @_noAllocation @_noLocks
public func finish(_ detector: OpaquePointer?) -> CInt {
  guard let instance = instance(of: detector) else { return failed }
  return number(
    instance._withUnsafeGuaranteedRef { $0.detector._withUnsafeGuaranteedRef { $0.processEnd() } })
}

@_noAllocation @_noLocks
private func number(_ outcome: HotwordDetector.Outcome) -> CInt {
  switch outcome {
  case .silence: -2
  case .speech: 0
  case .hotword(let index): CInt(truncatingIfNeeded: index) + 1
  }
}

@_cdecl("hotword_next_hit") @_noAllocation @_noLocks
public func nextHit(_ detector: OpaquePointer?, _ hit: UnsafeMutablePointer<hotword_hit>?) -> CInt {
  guard let instance = instance(of: detector) else { return failed }
  guard let hit else {
    InvalidCall.noHit.setLastError()
    return failed
  }
  let hasNext = instance._withUnsafeGuaranteedRef { $0.detector._withUnsafeGuaranteedRef { $0.hasDecision } }
  guard hasNext else { return 0 }
  let next = instance._withUnsafeGuaranteedRef { $0.detector._withUnsafeGuaranteedRef { $0.nextDecision() } }
  hit.pointee = hotword_hit(
    hotword: CInt(truncatingIfNeeded: next.model) + 1, start: AudioFormat.seconds(next.decision.start),
    end: AudioFormat.seconds(next.decision.end), score: next.decision.score)
  return 1
}

@_cdecl("hotword_set_audio_gain") @_noAllocation @_noLocks
public func setAudioGain(_ detector: OpaquePointer?, _ gain: Double) -> CInt {
  guard let instance = instance(of: detector) else { return failed }
  guard gain >= 0.01, gain <= 100 else {
    InvalidCall.badGain.setLastError()
    return failed
  }
  instance._withUnsafeGuaranteedRef { $0.detector._withUnsafeGuaranteedRef { $0.setGain(Float(gain)) } }
  return 0
}

@_cdecl("hotword_score") @_noAllocation @_noLocks
public func score(_ detector: OpaquePointer?, _ hotword: CInt) -> Double {
  guard let instance = instance(of: detector),
    let index = instance._withUnsafeGuaranteedRef({ $0.index(of: hotword) })
  else { return Double(failed) }
  return instance._withUnsafeGuaranteedRef { $0.detector._withUnsafeGuaranteedRef { $0.score(of: index) } }
}

@_cdecl("hotword_count") @_noAllocation @_noLocks
public func count(_ detector: OpaquePointer?) -> CInt {
  guard let instance = instance(of: detector) else { return failed }
  return CInt(truncatingIfNeeded: instance._withUnsafeGuaranteedRef { $0.names.count })
}

@_cdecl("hotword_name") @_noAllocation @_noLocks
public func name(_ detector: OpaquePointer?, _ hotword: CInt) -> UnsafePointer<CChar>? {
  guard let instance = instance(of: detector),
    let index = instance._withUnsafeGuaranteedRef({ $0.index(of: hotword) })
  else { return nil }
  return UnsafePointer(instance._withUnsafeGuaranteedRef { $0.names[index] })
}

@_cdecl("hotword_phrase") @_noAllocation @_noLocks
public func phrase(_ detector: OpaquePointer?, _ hotword: CInt) -> UnsafePointer<CChar>? {
  guard let instance = instance(of: detector),
    let index = instance._withUnsafeGuaranteedRef({ $0.index(of: hotword) })
  else { return nil }
  return UnsafePointer(instance._withUnsafeGuaranteedRef { $0.phrases[index] })
}

@_cdecl("hotword_sample_rate") @_noAllocation @_noLocks
public func sampleRate() -> CInt { CInt(truncatingIfNeeded: AudioFormat.sampleRate) }

@_cdecl("hotword_channels") @_noAllocation @_noLocks
public func channels() -> CInt { 1 }

@_cdecl("hotword_bits_per_sample") @_noAllocation @_noLocks
public func bitsPerSample() -> CInt { 16 }

@_cdecl("hotword_last_error") @_noAllocation @_noLocks
public func lastError() -> UnsafePointer<CChar> { registry_error() }

@_cdecl("hotword_version") @_noAllocation @_noLocks
public func version() -> UnsafePointer<CChar> {
  UnsafeRawPointer(Version.text.utf8Start).assumingMemoryBound(to: CChar.self)
}
