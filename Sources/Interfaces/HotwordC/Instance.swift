import CHotword
import Glibc
import Hotword

/// The object of a handle of the C interface.
final class Instance {
  let detector: Unmanaged<HotwordDetector>
  let names: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
  let phrases: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ detector: HotwordDetector) {
    self.detector = .passRetained(detector)
    names = Self.copies(detector.keywords.map(\.name))
    phrases = Self.copies(detector.keywords.map(\.phrase))
  }

  deinit {
    detector.release()
    for text in Array(names) + Array(phrases) { free(text) }
    names.deallocate()
    phrases.deallocate()
  }

  private static func copies(
    _ texts: [String]
  ) -> UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?> {
    let copies = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count)
    _ = copies.initialize(from: texts.map { strdup($0) })
    return copies
  }

  /// The index of a hotword's number; sets the last error if there is none. Real-time safe.
  @_noAllocation @_noLocks
  func index(of hotword: CInt) -> Int? {
    guard hotword >= 1, Int(hotword) <= names.count else {
      InvalidCall.noSuchHotword.setLastError()
      return nil
    }
    return Int(hotword) - 1
  }
}

/// The instance of a handle; sets the last error if there is none. Real-time safe.
@_noAllocation @_noLocks
func instance(of handle: OpaquePointer?) -> Unmanaged<Instance>? {
  guard let object = registry_find(UnsafeRawPointer(handle)) else {
    InvalidCall.noDetector.setLastError()
    return nil
  }
  return Unmanaged.fromOpaque(object)
}
