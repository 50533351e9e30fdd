import AudioCapture
import Glibc
import Recognition
import Testing

/// Commands for a coffee machine, as in the fixtures and the shared recordings.
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

/// Shared recordings: three coffee commands, and another sentence.
private let recordings = [
  "order-espresso": "commands/coffee/febb6093-3cc6-430e-94bc-8c1cfe7fb29e.opus",
  "order-milk": "commands/coffee/128282e4-c60d-4550-9c47-89cb6654a8aa.opus",
  "order-mocha": "commands/coffee/3abdea43-7871-4f33-a978-9f22293346fa.opus",
  "other-speech": "speech/kathleen_en/arctic_a0162_1592713645.opus",
]

func fixture(_ name: String) throws -> [Int16] {
  try AudioFile.read("\(sharedAudio!)/\(recordings[name]!)")
}

/// The folder of shared recordings; nil where there is none.
let sharedAudio: String? = {
  let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let path = getenv("HOTWORD_AUDIO").map { String(cString: $0) } ?? "\(root)/../shared/audio"
  return access(path, R_OK) == 0 ? path : nil
}()

/// Whether PocketSphinx and its model are installed.
let hasPocketSphinx = PocketSphinxRecognizer(grammar: nil).availability == .available
