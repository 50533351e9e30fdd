import PCM

/// The parts with which the listening thread goes on after a reload.
package final class ListeningChange: @unchecked Sendable {
  /// The running one if its models are unchanged.
  package let spotter: any HotwordSpotting
  /// How many times the spotter has been replaced, this one included.
  package let generation: Int
  /// nil if nothing is played.
  package let echo: EchoSetup?

  package init(_ spotter: any HotwordSpotting, generation: Int, echo: EchoSetup?) {
    self.spotter = spotter
    self.generation = generation
    self.echo = echo
  }
}
