import Glibc

/// Floats outside of Swift's arrays, aligned for vectors, that one thread at a time works on.
package final class FloatBuffer {
  package let base: UnsafeMutablePointer<Float>
  package let count: Int

  /// `count` zeros.
  package init(_ count: Int) {
    let bytes = max(count, 1) * MemoryLayout<Float>.stride
    var memory: UnsafeMutableRawPointer?
    precondition(posix_memalign(&memory, 64, bytes) == 0, "out of memory")
    base = memory!.bindMemory(to: Float.self, capacity: max(count, 1))
    self.count = count
    base.initialize(repeating: 0, count: max(count, 1))
  }

  deinit { free(base) }

  package func zero() { base.update(repeating: 0, count: count) }

  package var values: [Float] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
