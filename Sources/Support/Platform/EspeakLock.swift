import Synchronization

/// Held by whoever calls espeak-ng in a process: the library keeps its state in global variables.
public let espeakLock = Mutex(())
