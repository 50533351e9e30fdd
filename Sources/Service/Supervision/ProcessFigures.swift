import Glibc
import Platform

/// What the system knows of this process, under the names that Prometheus's client libraries use.
package struct ProcessFigures: Sendable {
  /// CPU seconds of all threads.
  package let processorSeconds: Double
  /// Bytes; 0 where the system does not tell.
  package let residentBytes: Int
  package let virtualBytes: Int
  package let openFiles: Int

  package static func now() -> ProcessFigures {
    let fields = ((try? Files.read("/proc/self/statm", limit: 4096)) ?? []).split(
      separator: UInt8(ascii: " ")
    )
    .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    let page = sysconf(Int32(_SC_PAGESIZE))
    return ProcessFigures(
      processorSeconds: MonotonicClock.processorTime(),
      residentBytes: fields.count > 1 ? fields[1] * page : 0,
      virtualBytes: (fields.first ?? 0) * page,
      // One of them is the folder that is being read.
      openFiles: max(0, ((try? Files.names(in: "/proc/self/fd")) ?? []).count - 1))
  }

  func add(to page: inout Exposition) {
    page.add(
      .counter, "process_cpu_seconds_total", "CPU time of all threads, user and system.", processorSeconds)
    page.add(.gauge, "process_resident_memory_bytes", "Resident memory.", Double(residentBytes))
    page.add(.gauge, "process_virtual_memory_bytes", "Virtual memory.", Double(virtualBytes))
    page.add(.gauge, "process_open_fds", "Open file descriptors.", Double(openFiles))
  }
}
