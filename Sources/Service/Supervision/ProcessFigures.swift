import Glibc
import Platform

/// The system's figures for this process, with the names of the Prometheus client libraries.
package struct ProcessFigures: Sendable {
  /// CPU seconds of all threads.
  package let processorSeconds: Double
  /// Bytes; 0 if unknown.
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
      // One of them is the folder being read.
      openFiles: max(0, ((try? Files.names(in: "/proc/self/fd")) ?? []).count - 1))
  }

  package func add(to page: inout Exposition) {
    page.add(
      .counter, "process_cpu_seconds_total", "CPU time of all threads, user and system.", processorSeconds)
    page.add(.gauge, "process_resident_memory_bytes", "Resident memory.", Double(residentBytes))
    page.add(.gauge, "process_virtual_memory_bytes", "Virtual memory.", Double(virtualBytes))
    page.add(.gauge, "process_open_fds", "Open file descriptors.", Double(openFiles))
  }
}
