import Detection
import Networking
import SpeechSynthesis
import WyomingServer

/// What differs between the protocols by which Home Assistant connects to a satellite.
protocol SatelliteProtocol: Sendable {
  /// A spotter of the models to listen with.
  func spotter() throws -> KeywordSpotter
  /// Which of its models count; nil for all.
  var choice: WakeWordChoice? { get }
  var reach: WyomingReach { get }
  /// Whether anyone who reaches the satellite can be sent what is said.
  var isOpenToAll: Bool { get }

  /// The loudspeaker for answers.
  func player(_ speech: SpeechOutput?) throws -> SatellitePlayer
  /// Makes the handlers of clients, once.
  func handlers(_ link: SatelliteLink) throws -> @Sendable (ServedClient) -> any ClientHandler
  /// Follows the satellite; it does not wait.
  func note(_ event: SatelliteEvent)
  /// Sets the sensitivity of a model where Home Assistant shows and changes it too.
  ///
  /// - Returns: false where it does not.
  func setSensitivity(_ sensitivity: Sensitivity, of model: String) -> Bool
  func announce(_ sockets: [ListeningSocket]) throws -> ServiceAnnouncement?
  /// What a new client sends first, to which it gets an answer.
  var greeting: [UInt8] { get }
  /// What to do first, for the user.
  func advise()
  func close() throws
}
