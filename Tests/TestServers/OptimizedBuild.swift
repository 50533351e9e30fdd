// Only tests use this file. The static Swift library, with which the programs are built, does not contain Testing.
#if canImport(Testing)
  import Testing

  extension Trait where Self == ConditionTrait {
    /// For tests that measure processor time or allocations, which are larger in a debug build, and for those that would take minutes
    /// of it under a sanitizer, where shorter tests run the same code.
    public static var needsOptimization: Self {
      .enabled(if: isOptimized, "needs an optimized build")
    }
  }

  private let isOptimized: Bool = {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return !isDebug
  }()
#endif
