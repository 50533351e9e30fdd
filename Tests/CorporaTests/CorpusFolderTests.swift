import Corpora
import Glibc
import Platform
import TestServers
import Testing

/// Corpus folders with empty audio files.
@Suite(.limited) struct CorpusFolderTests {
  /// Creates a folder with these files; those without text are recordings.
  private func folder(_ files: [String: String]) throws -> String {
    let root = PythonServer.temporaryFolder("corpora")
    for (name, text) in files {
      let path = "\(root)/\(name)"
      try Files.createFolder(String(path[..<path.lastIndex(of: "/")!]))
      try Files.write(Array(text.utf8), to: path)
    }
    return root
  }

  private static let clips = """
    path\tsentence\textra\tclient_id\tup_votes
    a.mp3\tComputer.\t\tann\t2
    b.mp3\tThe computer is slow\t\tann\t2
    c.mp3\tGood morning\t\tbob\t2
    gone.mp3\tcomputer\t\teve\t2

    """

  @Test func commonVoiceIsReadByItsHeader() throws {
    let root = try folder([
      "validated.tsv": Self.clips, "train.tsv": Self.clips + "d.mp3\tcomputer\t\tdan\t0\n",
      "durations.tsv": "clip\tms\n", "clips/a.mp3": "", "clips/b.mp3": "", "clips/c.mp3": "",
      "clips/d.mp3": "",
    ])
    let corpus = try #require(try CorpusFolder(root + "/"))
    #expect(corpus.layout == .commonVoice && corpus.missing == 1)
    #expect(corpus.recordings(of: "computer").map(\.path) == ["\(root)/clips/a.mp3"])
    #expect(corpus.recordings(of: "computer").map(\.speaker) == ["ann"])
    #expect(corpus.recordings(without: "Computer!").map(\.path) == ["\(root)/clips/c.mp3"])
  }

  @Test func withoutValidatedAllTablesAreRead() throws {
    let line = "x\ty.wav\tcomputer\t\n"
    let root = try folder([
      "train.tsv": "client_id\tpath\tsentence\n\(line)",
      "dev.tsv": "client_id\tpath\tsentence\r\n\(line)z\tz.wav\tno\r\n",
      "clips/y.wav": "", "clips/z.wav": "",
    ])
    #expect(try #require(try CorpusFolder(root)).recordings.map(\.speaker) == ["x", "z"])
  }

  @Test func speechCommandsListsApplyToWholeSpeakers() throws {
    let root = try folder([
      "computer/aa_nohash_0.wav": "", "computer/bb_nohash_0.wav": "", "computer/bb_nohash_1.wav": "",
      "computer/cc_nohash_0.wav": "", "good_morning/aa_nohash_0.wav": "", "_background_noise_/rain.wav": "",
      "_background_noise_/README.md": "x",
      "testing_list.txt": "computer/bb_nohash_0.wav\n", "validation_list.txt": "computer/cc_nohash_0.wav\n",
      "README.md": "x",
    ])
    let corpus = try #require(try CorpusFolder(root))
    #expect(corpus.layout == .speechCommands)
    let parts = Dictionary(grouping: corpus.recordings(of: "computer"), by: \.part).mapValues {
      Set($0.map(\.speaker))
    }
    #expect(parts == [.testing: ["bb"], .validation: ["cc"], .training: ["aa"]])
    #expect(corpus.recordings(of: "good morning").map(\.speaker) == ["aa"])
    #expect(corpus.noise.map(\.path) == ["\(root)/_background_noise_/rain.wav"])
  }

  @Test func kaldiSegmentsAndSpeakersAreRead() throws {
    let root = try folder([
      "wav.scp": "rec1 audio/one.wav\nrec2\taudio/two.wav  \n", "audio/one.wav": "", "audio/two.wav": "",
      "segments": "u1 rec1 0.5 1.25\nu2 rec1 2 3\nu3 rec2 0 -1\n",
      "text": "u1 COMPUTER\n \t \nu2 good day\nu3\n",
      "utt2spk": "u1 ann\nu2 bob\nu3 ann\n",
    ])
    let corpus = try #require(try CorpusFolder(root))
    #expect(
      corpus.recordings(of: "computer").map(\.path) == ["\(root)/audio/one.wav#t=0.5,1.25"])
    #expect(corpus.recordings(of: "computer").map(\.speaker) == ["ann"])
    #expect(
      corpus.recordings(without: "computer").map(\.path) == [
        "\(root)/audio/one.wav#t=2,3", "\(root)/audio/two.wav#t=0",
      ])
  }

  @Test func shellCommandsAreRejected() throws {
    let root = try folder(["wav.scp": "a x.wav\nb sox x.wav -t wav - |\n", "text": "a computer\n"])
    let fault = CorpusFault.shellCommand(path: "\(root)/wav.scp", line: 2)
    #expect(throws: fault) { try CorpusFolder(root) }
    #expect(fault.message.contains("line 2") && fault.exitCode == .badData)
  }

  @Test func errorsNameTheFileAndTheProblem() throws {
    for (files, part) in [
      (["wav.scp": "a x.wav\n"], "text"),
      (["wav.scp": "a\n", "text": "a b\n"], "wav.scp, line 1"),
      (["wav.scp": "a x.wav\n", "text": "a b\n"], "none of the listed recordings"),
      (["wav.scp": "a x\n", "text": "a b\n", "segments": "u a 2 1\n"], "segments, line 1"),
      (["wav.scp": "a x\n", "text": "a b\n", "segments": "u b 1 2\n"], "listed in wav.scp"),
      (["clips/a.wav": "", "validated.tsv": "path\tsentence\na.wav\tx\n"], "'client_id'"),
      (["clips/a.wav": "", "validated.tsv": "client_id\tpath\tsentence\nonly\n"], "line 2"),
    ] {
      let root = try folder(files)
      do {
        _ = try CorpusFolder(root)
        Issue.record("\(files) was accepted")
      } catch {
        #expect(error.message.contains(part), "\(error.message)")
        #expect(error.message.hasPrefix(root))
      }
    }
  }

  @Test func otherFoldersAreNotCorpora() throws {
    for files in [
      ["a.wav": ""], ["rain/a.wav": "", "computer/aa_nohash_0.wav": ""],
      ["clips/a.wav": "", "x.tsv": "a\tb\n"],
      ["aa_nohash_0.wav": ""],
    ] {
      #expect(try CorpusFolder(try folder(files)) == nil, "\(files)")
    }
    #expect(try CorpusFolder("/nowhere/at/all") == nil)
  }

  @Test func transcriptsAreComparedByWords() {
    #expect(TranscriptWords("Hey, Computer!") == TranscriptWords("hey computer"))
    #expect(TranscriptWords("my  hey-computer works").contains(TranscriptWords("hey computer")))
    #expect(!TranscriptWords("computers").contains(TranscriptWords("computer")))
    #expect(!TranscriptWords("computer").contains(TranscriptWords("")))
  }
}

@Suite(.limited) struct CommonVoiceTableTests {
  private let clip = CommonVoice.Clip(client: "ann", path: "a.wav", sentence: "hello\thouse")

  @Test func writtenTablesCanBeRead() throws {
    var bytes = CommonVoice.appending([clip], to: [])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\tsegment
        ann\ta.wav\thello house\t0\t0\t\t\t\ten\t

        """)
    bytes = CommonVoice.appending([CommonVoice.Clip(client: "bob", path: "b.wav", sentence: "hi")], to: bytes)
    #expect(try CommonVoice.parse(bytes, table: "t").map(\.client) == ["ann", "bob"])
  }

  @Test func otherColumnsOfATableAreKept() throws {
    let other = Array("path\tmood\tclient_id\tsentence\nx.wav\tglad\tann\thi".utf8)
    let bytes = CommonVoice.appending([clip], to: other)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "path\tmood\tclient_id\tsentence\nx.wav\tglad\tann\thi\na.wav\t\tann\thello house\n")
  }
}
