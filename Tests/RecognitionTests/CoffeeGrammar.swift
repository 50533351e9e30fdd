import AudioCapture
import Glibc
import Recognition
import Testing

/// Orders for a coffee machine, as the fixtures and the shared recordings say them.
enum CoffeeGrammar {
  static let grammar = Grammar(
    jsgf: """
      #JSGF V1.0;
      grammar coffee;
      public <order> = [<lead>] [a | an] [<size>] [<shots>] [<roast>] [<size>] [<shots>] <drink> \
      [with <extra> [[and | with] <extra>]] [please];
      <lead> = [can | could] i [have | get] | i want | (i'd | i would) like [to have | to order | to get] \
      | [please] (give | get | make | bring) me | may i have | can i please have | let me have;
      <size> = small | medium | large | (eight | twelve | sixteen | twenty) ounce;
      <roast> = [a] (light | dark | medium) roast;
      <shots> = [a] (single | double | triple) shot;
      <drink> = [iced | house | drip] coffee | [iced] mocha | americano | cappuccino | latte | espresso;
      <amount> = some | a bit of | a little bit of | a lot of | lots of | little | no;
      <extra> = [<amount>] (<milk> | <sugar>);
      <milk> = [soy | skim | almond | whole] milk | cream;
      <sugar> = [brown] sugar | sweetener;
      """)
}

/// The orders are three recordings of Picovoice's speech-to-intent benchmark (Apache-2.0), `other-speech` one of
/// Kathleen's CMU Arctic sentences (CC0); all copied as they are.
func fixture(_ name: String) throws -> [Int16] {
  let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
  return try AudioFile.read("/\(folder)/Fixtures/\(name).opus")
}

/// The folder of shared recordings, where there is one.
let sharedAudio: String? = {
  let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let path = getenv("HOTWORD_AUDIO").map { String(cString: $0) } ?? "\(root)/../shared/audio"
  return access(path, R_OK) == 0 ? path : nil
}()

/// Whether PocketSphinx and its model are installed.
let hasPocketSphinx = PocketSphinxRecognizer(grammar: nil).availability == .available
