import Platform

/// A recognizer that returns given texts, whatever the audio is.
enum ScriptedRecognizer {
  /// The plug-in's name: each command gets the next of `texts` as its transcript.
  static func hearing(_ texts: [String]) throws -> String {
    let folder = Program.temporaryFolder()
    try Files.write(Array(texts.map { "\($0)\n" }.joined().utf8), to: "\(folder)/texts")
    return """
      command:cat >/dev/null; n=$(cat \(folder)/count 2>/dev/null || echo 0); n=$((n + 1)); \
      echo $n >\(folder)/count; sed -n ${n}p \(folder)/texts
      """
  }
}
