import Glibc

/// HTTP as bytes on a socket of the loopback interface, so that a test can send what no client sends.
public enum RawHTTP {
  /// All that the server at `port` answers to `request` until it closes the connection; empty if it cannot be reached.
  public static func answer(_ request: String, port: Int) -> String {
    guard let descriptor = connection(to: port) else { return "" }
    defer { close(descriptor) }
    let bytes = Array(request.utf8)
    send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return String(decoding: answer, as: UTF8.self) }
      answer += chunk[..<count]
    }
  }

  /// A connection, which the caller closes; nil if the server cannot be reached.
  public static func connection(to port: Int) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Reads from a connection until `text` has come; false at its end.
  public static func waits(for text: String, on descriptor: Int32) -> Bool {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: received, as: UTF8.self).contains(text) {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count <= 0 { return false }
      received += chunk[..<count]
    }
    return true
  }
}
