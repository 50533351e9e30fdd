import SpeechSynthesis

/// The service's echo canceller with what it is to use from the next frame on.
package final class EchoSetup: @unchecked Sendable {
  package let canceller: EchoCanceller
  private let reference: PlaybackReference
  /// Milliseconds.
  private let delay: Int

  init(_ canceller: EchoCanceller, reference: PlaybackReference, delay: Int) {
    self.canceller = canceller
    self.reference = reference
    self.delay = delay
  }

  /// Changes the canceller; only the listening thread may call it.
  package func apply() { canceller.change(reference: reference, delay: delay) }
}

/// Creates the service's only echo canceller when it is first needed, and keeps it.
///
/// Creating an echo canceller disturbs others that run, so a reload changes the one that exists. One thread at a time may
/// use this: the one that starts the service, then the one that reloads.
package final class EchoCancellerOwner: @unchecked Sendable {
  private var canceller: EchoCanceller?

  package init() {}

  /// - Parameter delay: milliseconds, 0…500.
  package func setup(reference: PlaybackReference, delay: Int) throws -> EchoSetup {
    let canceller = try self.canceller ?? EchoCanceller(reference, delay: delay)
    self.canceller = canceller
    return EchoSetup(canceller, reference: reference, delay: delay)
  }
}
