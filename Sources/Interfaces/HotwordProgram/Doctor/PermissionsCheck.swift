import Glibc

/// Whether this process may use real-time scheduling and lock its memory.
enum PermissionsCheck {
  /// The priority that the capture thread requests.
  private static let priority: Int32 = 10

  static func run() -> [Finding] { [scheduling(), memory()] }

  private static func scheduling() -> Finding {
    var policy: Int32 = 0
    var before = sched_param()
    pthread_getschedparam(pthread_self(), &policy, &before)
    var wanted = sched_param()
    wanted.sched_priority = priority
    guard pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) == 0 else {
      return .warning(
        "real time",
        "not allowed (the limit is \(limit(Int32(__RLIMIT_RTPRIO.rawValue))), \(priority) is needed), so audio may be lost under load; "
          + "set LimitRTPRIO=20 in the systemd unit, or '@audio - rtprio 20' in /etc/security/limits.conf")
    }
    pthread_setschedparam(pthread_self(), policy, &before)
    return .ok("real time", "the capture thread has real-time priority")
  }

  private static func memory() -> Finding {
    guard mlockall(Int32(MCL_CURRENT | MCL_ONFAULT)) == 0 else {
      return .warning(
        "memory",
        "cannot be locked (the limit is \(limit(Int32(__RLIMIT_MEMLOCK.rawValue))) bytes), so it may be swapped out; set "
          + "LimitMEMLOCK=infinity in the systemd unit, or '@audio - memlock unlimited' in /etc/security/limits.conf"
      )
    }
    munlockall()
    return .ok("memory", "can be locked")
  }

  private static func limit(_ resource: __rlimit_resource_t) -> String {
    var limit = rlimit()
    getrlimit(resource, &limit)
    return limit.rlim_cur == rlim_t.max ? "infinite" : "\(limit.rlim_cur)"
  }
}
