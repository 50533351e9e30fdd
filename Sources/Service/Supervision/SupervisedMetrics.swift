/// The counters of a program that listens, as `/metrics` shows them.
package protocol SupervisedMetrics: Sendable {
  /// Those of its audio.
  var stream: StreamMetrics { get }

  /// The page of all metrics and of the process's figures.
  ///
  /// - Parameter version: the program's.
  func exposition(version: String) -> String
}
