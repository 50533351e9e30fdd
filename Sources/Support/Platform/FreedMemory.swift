import CSystem

/// Memory that this process has freed and the allocator keeps.
public enum FreedMemory {
  /// Returns it to the system; worthwhile after loading files that need many times their size while they are decoded.
  public static func returnToSystem() { system_trim() }
}
