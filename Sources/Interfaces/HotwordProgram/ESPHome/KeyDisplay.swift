import CQRCode
import ESPHomeServer
import Glibc
import Platform

/// The encryption key of a satellite for people: as text, and as a QR code that a phone reads.
enum KeyDisplay {
  /// Modules of light around a code.
  private static let margin = 4

  /// Writes the key to a descriptor.
  static func show(_ key: EncryptionKey, on descriptor: Int32) {
    let lines = lines(key, isColoured: isatty(descriptor) == 1)
    _ = writeAll(Array((lines.joined(separator: "\n") + "\n").utf8), to: descriptor)
  }

  /// - Parameter isColoured: whether the code is drawn in black and white whatever the terminal's colours.
  private static func lines(_ key: EncryptionKey, isColoured: Bool) -> [String] {
    var lines = [key.text, ""]
    if let reason = qr_load() {
      lines.append(
        "no QR code: \(String(cString: reason)); install it with: apt install libqrencode4")
    } else {
      lines += code(key.text, isColoured: isColoured)
    }
    return lines
  }

  /// Two rows of modules in a line: the light ones are drawn, as most terminals are dark.
  private static func code(_ text: String, isColoured: Bool) -> [String] {
    var modules = [UInt8](repeating: 0, count: Int(qr_largest_width * qr_largest_width))
    let width = Int(qr_encode(text, &modules))
    guard width > 0 else { return [] }
    func isLight(_ row: Int, _ column: Int) -> Bool {
      let isInside = (0..<width).contains(row) && (0..<width).contains(column)
      return !isInside || modules[row * width + column] == 0
    }
    return stride(from: -margin, to: width + margin, by: 2).map { row in
      let line = (-margin..<width + margin).map { column in
        switch (isLight(row, column), isLight(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      return isColoured ? "\u{1B}[40;97m\(line)\u{1B}[0m" : line
    }
  }
}
