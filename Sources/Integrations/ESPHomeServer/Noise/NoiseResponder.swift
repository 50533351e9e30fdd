/// The server's side of an encrypted connection: the hello, the handshake, then encrypted messages. A value type without I/O.
///
/// | state | frame | to | outputs |
/// |---|---|---|---|
/// | hello | any | handshake | send the protocol's number, the name and the address |
/// | handshake | 0 and the initiator's message | ready | send 0 and the answer; established |
/// | handshake | anything else | | a violation, whose reply says why |
/// | ready | an encrypted message | ready | message |
public struct NoiseResponder: Sendable {
  public enum Output: Sendable, Equatable {
    case send([UInt8])
    /// From now on, messages are sent with this cipher.
    case established(NoiseCipher)
    case message(APIFrame)
  }

  private enum State: Sendable {
    case hello
    case handshake(NoiseHandshake)
    case ready(NoiseCipher)
  }

  private let key: [UInt8]
  private let greeting: [UInt8]
  private let secret: [UInt8]
  private var frames = NoiseFrameDecoder()
  private var state = State.hello

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - name: the device's name.
  ///   - address: its hardware address in 12 hexadecimal digits.
  public init(_ key: EncryptionKey, name: String, address: String) {
    self.init(key, name: name, address: address, secret: Sodium.random(32))
  }

  /// - Parameter secret: the handshake's secret key, 32 bytes.
  init(_ key: EncryptionKey, name: String, address: String, secret: [UInt8]) {
    self.key = key.bytes
    self.secret = secret
    greeting = NoiseFrameDecoder.frame([1] + Array(name.utf8) + [0] + Array(address.utf8) + [0])
  }

  /// Bytes of an incomplete frame.
  public var heldBytes: Int { frames.heldBytes }

  /// Appends to `outputs` what follows from the next bytes, also if they then violate the protocol: the client reads the reason for a
  /// refusal only after the answer to its hello.
  ///
  /// - Throws: ``FrameViolation``; the value must not be used afterwards.
  public mutating func feed(_ bytes: ArraySlice<UInt8>, into outputs: inout [Output]) throws(FrameViolation) {
    for frame in try frames.feed(bytes) { outputs += try take(frame) }
  }

  private mutating func take(_ frame: ArraySlice<UInt8>) throws(FrameViolation) -> [Output] {
    switch state {
    case .hello:
      let size = [UInt8(frame.count >> 8), UInt8(frame.count & 0xFF)]
      let prologue = Array("NoiseAPIInit".utf8) + size + frame
      state = .handshake(NoiseHandshake(key: key, prologue: prologue, secret: secret))
      return [.send(greeting)]
    case .handshake(var handshake):
      guard frame.first == 0 else { throw .badHandshake }
      guard let (answer, receive, send) = handshake.answer(frame.dropFirst()) else { throw .wrongKey }
      state = .ready(receive)
      return [.send(NoiseFrameDecoder.frame([0] + answer)), .established(send)]
    case .ready(var cipher):
      guard let message = cipher.open(frame), message.count >= 4 else { throw .corrupt }
      state = .ready(cipher)
      // The size within is redundant: the frame's own counts, as in other programs.
      return [.message(APIFrame(type: Int(message[0]) << 8 | Int(message[1]), body: Array(message[4...])))]
    }
  }
}
