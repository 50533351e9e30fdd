import CommandLineParsing
import Networking
import Platform

/// Who can reach a Wyoming server: its addresses and the clients that it allows.
///
/// The protocol has no passwords, so without options only this machine can connect.
struct WyomingReach {
  let addresses: [ListenAddress]
  let allowed: AllowedPeers
  private let isLimited: Bool

  static let allow = CommandDefinition.Option.value(
    "--allow", "HOST", repeats: true,
    "who may connect besides this machine: an IP address, a network such as 192.168.1.0/24, or any (default: any that reaches the address)"
  )

  /// The note on the standard address of a server at `port`.
  static func note(port: Int) -> String {
    "It listens at tcp://127.0.0.1:\(port), for this machine only; with --allow or --zeroconf at tcp://0.0.0.0:\(port)."
  }

  /// - Parameter port: the port where `--uri` names no address.
  init(_ arguments: Arguments, port: Int) throws {
    try self.init(
      arguments.all("--uri"), allowed: arguments.all("--allow"), isAnnounced: arguments.has("--zeroconf"),
      port: port)
  }

  /// - Parameters:
  ///   - names: the addresses; empty for the standard one.
  ///   - allowed: who may connect besides this machine; empty for anyone.
  ///   - isAnnounced: whether the server is announced in the network.
  ///   - port: the port of the standard address.
  init(_ names: [String], allowed: [String], isAnnounced: Bool, port: Int) throws {
    isLimited = !allowed.isEmpty
    let isOpen = isLimited || isAnnounced
    addresses =
      names.isEmpty
      ? [.host(isOpen ? "0.0.0.0" : "127.0.0.1", port: port)] : try names.map { try ListenAddress($0) }
    self.allowed = isLimited ? try AllowedPeers(allowed) : .anyone
  }

  /// Whether anyone in the network can connect, and no option says that this is wanted.
  var isOpenToAll: Bool { !isLimited && addresses.contains { !$0.isLocal } }
}
