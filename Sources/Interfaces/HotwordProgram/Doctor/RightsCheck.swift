import Glibc

/// Whether the listening thread gets what it asks for, by asking for it.
enum RightsCheck {
  /// What the capture thread asks for.
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
        "not allowed (the limit is \(limit(Int32(__RLIMIT_RTPRIO.rawValue))), \(priority) is needed); audio may be lost under load: "
          + "give LimitRTPRIO=20 in the unit, or '@audio - rtprio 20' in /etc/security/limits.conf")
    }
    pthread_setschedparam(pthread_self(), policy, &before)
    return .ok("real time", "the listening thread goes before others")
  }

  private static func memory() -> Finding {
    guard mlockall(Int32(MCL_CURRENT | MCL_ONFAULT)) == 0 else {
      return .warning(
        "memory",
        "may not be locked (the limit is \(limit(Int32(__RLIMIT_MEMLOCK.rawValue))) bytes); it may be swapped out: give "
          + "LimitMEMLOCK=infinity in the unit, or '@audio - memlock unlimited' in /etc/security/limits.conf")
    }
    munlockall()
    return .ok("memory", "may be locked")
  }

  private static func limit(_ resource: __rlimit_resource_t) -> String {
    var limit = rlimit()
    getrlimit(resource, &limit)
    return limit.rlim_cur == rlim_t.max ? "infinite" : "\(limit.rlim_cur)"
  }
}
