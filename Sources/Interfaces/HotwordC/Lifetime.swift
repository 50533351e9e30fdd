import CHotword
import Detection
import Hotword
import Platform

// The functions of hotword.h that create and change detectors. They are not real-time safe.

private let failed: CInt = -1

@_cdecl("hotword_create")
public func create(
  _ models: UnsafePointer<UnsafePointer<CChar>?>?, _ sensitivities: UnsafePointer<Double>?, _ count: CInt
) -> OpaquePointer? {
  do {
    guard let models, count > 0 else { throw InvalidCall.noModels }
    let store = ModelStore.standard()
    let chosen = try (0..<Int(count)).map { index in
      guard let name = models[index] else { throw InvalidCall.noName }
      let reference = try ModelReference(String(cString: name))
      let sensitivity = try reference.sensitivity ?? sensitivities.map { try Sensitivity($0[index]) }
      return (try store.model(reference), sensitivity ?? .standard)
    }
    let instance = Unmanaged.passRetained(Instance(try HotwordDetector(chosen)))
    guard let handle = registry_add(instance.toOpaque()) else {
      instance.release()
      throw InvalidCall.tooMany
    }
    return OpaquePointer(handle)
  } catch {
    note(error)
    return nil
  }
}

@_cdecl("hotword_destroy")
public func destroy(_ detector: OpaquePointer?) {
  guard let object = registry_remove(UnsafeRawPointer(detector)) else { return }
  Unmanaged<Instance>.fromOpaque(object).release()
}

@_cdecl("hotword_reset")
public func reset(_ detector: OpaquePointer?) -> CInt {
  guard let instance = instance(of: detector) else { return failed }
  instance.takeUnretainedValue().detector.takeUnretainedValue().reset()
  return 0
}

@_cdecl("hotword_set_sensitivity")
public func setSensitivity(_ detector: OpaquePointer?, _ hotword: CInt, _ sensitivity: Double) -> CInt {
  guard let instance = instance(of: detector)?.takeUnretainedValue() else { return failed }
  guard let sensitivity = try? Sensitivity(sensitivity) else {
    InvalidCall.badSensitivity.setLastError()
    return failed
  }
  let detector = instance.detector.takeUnretainedValue()
  if hotword == 0 {
    for index in instance.names.indices { detector.setSensitivity(sensitivity, of: index) }
  } else {
    guard let index = instance.index(of: hotword) else { return failed }
    detector.setSensitivity(sensitivity, of: index)
  }
  return 0
}

@_cdecl("hotword_sensitivity")
public func sensitivity(_ detector: OpaquePointer?, _ hotword: CInt) -> Double {
  guard let instance = instance(of: detector)?.takeUnretainedValue(),
    let index = instance.index(of: hotword)
  else { return Double(failed) }
  return instance.detector.takeUnretainedValue().keywords[index].sensitivity.value
}

@_cdecl("hotword_apply_front_end")
public func applyFrontEnd(_ detector: OpaquePointer?, _ on: CInt) -> CInt {
  guard let instance = instance(of: detector)?.takeUnretainedValue() else { return failed }
  do {
    try instance.detector.takeUnretainedValue().applyFrontEnd(on != 0)
    return 0
  } catch {
    note(error)
    return failed
  }
}

private func note(_ error: any Error) {
  switch error {
  case let call as InvalidCall: call.setLastError()
  case let fault as any Fault: registry_set_error(fault.message)
  default: registry_set_error("\(error)")
  }
}
