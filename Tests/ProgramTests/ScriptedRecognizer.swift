import Platform

/// A recognizer that hears what it was told, whatever was said.
enum ScriptedRecognizer {
  /// The plug-in's name: each listening hears the next of `texts`.
  static func hearing(_ texts: [String]) throws -> String {
    let folder = Program.temporaryFolder()
    try Files.write(Array(texts.map { "\($0)\n" }.joined().utf8), to: "\(folder)/texts")
    return """
      command:cat >/dev/null; n=$(cat \(folder)/count 2>/dev/null || echo 0); n=$((n + 1)); \
      echo $n >\(folder)/count; sed -n ${n}p \(folder)/texts
      """
  }
}
