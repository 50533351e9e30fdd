import Glibc

/// The clock for deadlines and pacing, in seconds; it never jumps.
public enum MonotonicClock {
  /// Seconds since an arbitrary start.
  public static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The CPU time of all threads of this process in seconds.
  public static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The CPU time of the calling thread in seconds.
  public static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Sleeps until `deadline`, a value of ``now()``.
  public static func sleep(until deadline: Double) {
    let whole = deadline.rounded(.down)
    var time = timespec(tv_sec: Int(whole), tv_nsec: Int((deadline - whole) * 1e9))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
