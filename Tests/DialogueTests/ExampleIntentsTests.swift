import Dialogue
import Platform
import TestServers
import Testing
import Understanding

/// The example intent files, with text.
@Suite(.limited) struct ExampleIntentsTests {
  static func talk(_ name: String) throws -> DialogueStateMachineTests.Talk {
    let path = Fixtures.path("../../../Examples/\(name).yaml")
    return try DialogueStateMachineTests.Talk(String(decoding: Files.read(path), as: UTF8.self))
  }

  /// The intent with the values of its slots, and the status where it is not ready: `BookRide to=home needsValue`.
  static func short(_ found: Interpretation) -> String {
    func words(_ value: JSON) -> String {
      value.array?.map(words).joined(separator: "+") ?? value.string ?? "\(value)"
    }
    let slots = found.slots.sorted { $0.name < $1.name }.map { "\($0.name)=\(words($0.value))" }
    let status = found.status == .ready ? [] : [found.status.rawValue]
    return ([found.intent?.name ?? "none"] + slots + status).joined(separator: " ")
  }

  @Test(arguments: [
    ("Hmm, I think I want something to eat, maybe some meat", "ChangeList add=meat"),
    ("I don't need chicken anymore", "ChangeList remove=chicken"),
    ("I want to buy cheese, but I already have potatoes", "ChangeList add=cheese remove=potato"),
    ("add milk and eggs to my shopping list", "ChangeList add=milk+egg"),
    ("please put two more onions on the list", "ChangeList add=onion"),
    ("could you put onions on the list please", "ChangeList add=onion"),
    ("we need three bottles of water", "ChangeList add=water"),
    ("add a bottle of wine and a loaf of bread", "ChangeList add=wine+bread"),
    ("add milk as well as eggs", "ChangeList add=milk+egg"),
    ("add milk and remove eggs", "ChangeList add=milk remove=egg"),
    ("i need milk but not eggs", "ChangeList add=milk remove=egg"),
    ("put wine on the list and take beer off", "ChangeList add=wine remove=beer"),
    ("the milk is no longer needed", "ChangeList remove=milk"),
    ("we should buy honey", "ChangeList add=honey"),
    ("I would like a cup of coffee", "none notUnderstood"),
    ("take the butter off the list", "ChangeList remove=butter"),
    ("we are out of coffee", "ChangeList add=coffee"),
    ("remove apples and bananas", "ChangeList remove=apple+banana"),
    ("I need bread instead of toast", "none notUnderstood"),
    ("replace the beef with salmon", "ChangeList add=salmon remove=beef"),
    ("we have enough rice but we need tomatoes", "ChangeList add=tomato remove=rice"),
    ("what is on my shopping list", "ReadList"), ("read me the list please", "ReadList"),
    ("what do we still need to buy", "ReadList"), ("clear the list", "ClearList needsConfirmation"),
    ("add something to the list", "AddItems needsValue"), ("the cat sat on the mat", "none notUnderstood"),
  ])
  func groceries(_ text: String, _ meaning: String) throws {
    var talk = try Self.talk("grocery")
    #expect(Self.short(talk.say(text).interpretation) == meaning)
  }

  @Test func groceriesAreRequestedAndCorrected() throws {
    var talk = try Self.talk("grocery")
    #expect(talk.tell("add something to the list") == "needsValue: What shall I add?")
    #expect(talk.tell("milk, eggs and some bread") == "ready: Added milk, egg, bread.")
    _ = talk.say("add something to the list")
    #expect(talk.tell("three bottles of wine and a box of soap") == "ready: Added wine, soap.")
    _ = talk.say("I want beer")
    #expect(Self.short(talk.say("no, I meant wine").interpretation) == "ChangeList add=wine")
  }

  @Test func theCommandAgainIsNoConsentButYesWithItIs() throws {
    var talk = try Self.talk("grocery")
    let question = "Shall I throw the whole list away?"
    #expect(talk.tell("clear the list") == "needsConfirmation: \(question)")
    for _ in 0..<2 {
      #expect(talk.tell("clear the list") == "needsConfirmation: Sorry, I did not get that. \(question)")
    }
    #expect(talk.tell("clear the list").hasPrefix("notUnderstood: Sorry, I still don't understand"))
    _ = talk.say("clear the list")
    #expect(talk.tell("yes clear the list").hasPrefix("ready: "))
    var ride = try Self.talk("ride")
    for turn in ["book a taxi from home to the airport", "yes"] { _ = ride.say(turn) }
    #expect(ride.tell("cancel my ride") == "needsConfirmation: Cancel your ride?")
    #expect(ride.tell("cancel it") == "needsConfirmation: Sorry, I did not get that. Cancel your ride?")
    #expect(ride.tell("yes, cancel my ride") == "ready: Your ride is cancelled.")
  }

  @Test func aRideIsBooked() throws {
    var talk = try Self.talk("ride")
    #expect(talk.tell("book me a car to the airport") == "needsDisambiguation: Do you mean taxi or limo?")
    #expect(talk.tell("the limo") == "needsValue: Where shall we pick you up?")
    #expect(talk.tell("from home") == "needsConfirmation: A limo from home to the airport, right?")
    #expect(
      talk.tell("no, from the hotel") == "needsConfirmation: A limo from the hotel to the airport, right?")
    #expect(talk.tell("yes") == "ready: Your limo to the airport is on its way.")
    #expect(talk.tell("where is my ride") == "ready: Your limo to the airport is five minutes away.")
    #expect(talk.tell("cancel my ride") == "needsConfirmation: Cancel your ride?")
    #expect(talk.tell("yes please") == "ready: Your ride is cancelled.")
    #expect(talk.tell("where is my ride") == "ready: You have not booked a ride. Say: book me a taxi.")
  }

  @Test(arguments: [
    ("I need a taxi from the station to the museum", "BookRide from=the station kind=taxi to=the museum"),
    ("get me a limo to work from home please", "BookRide from=home kind=limo to=work"),
    (
      "could you pick me up at the hospital and take me to the hotel",
      "BookRide from=the hospital to=the hotel"
    ),
    ("take me downtown", "BookRide to=downtown"), ("take me home", "BookRide to=home"),
    (
      "book me a taxi to the airport from home for two people",
      "BookRide from=home kind=taxi seats=2 to=the airport"
    ),
    ("take me from the hotel to the airport", "BookRide from=the hotel to=the airport"),
    ("i need to get from the station to my office", "BookRide from=the station to=the office"),
    ("a taxi to the airport please", "BookRide kind=taxi to=the airport"),
    ("limo to the stadium", "BookRide kind=limo to=the stadium"),
    ("navigate to the airport", "none"), ("start the car", "none"), ("it took two hours to get home", "none"),
    ("book a taxi for four people from home to work", "BookRide from=home kind=taxi seats=4 to=work"),
    ("drop me off at the university", "BookRide to=the university"),
    ("where is my taxi", "RideStatus kind=taxi"),
  ])
  func ridesInManyWordings(_ text: String, _ meaning: String) throws {
    var talk = try Self.talk("ride")
    let found = Self.short(talk.say(text).interpretation)
    #expect(found == meaning || found.hasPrefix(meaning + " needs") || found.hasPrefix(meaning + " not"))
  }

  @Test func invalidRidesAreRefused() throws {
    var talk = try Self.talk("ride")
    #expect(
      talk.tell("book a taxi for nine from home to work")
        == "unsupported: A car seats one to six people. How many are you?")
    #expect(talk.tell("we are four") == "needsConfirmation: A taxi for 4 from home to work, right?")
    _ = talk.say("cancel")
    _ = talk.say("a taxi to the airport")
    #expect(
      talk.tell("i'm at the hotel") == "needsConfirmation: A taxi from the hotel to the airport, right?")
    #expect(talk.tell("cancel my booking") == "ready: Okay.")
    #expect(talk.tell("book a taxi from home to home").hasPrefix("unsupported: We cannot take you there."))
  }

  @Test func anOrderIsRemembered() throws {
    var talk = try Self.talk("order")
    #expect(talk.tell("hello") == "ready: Hello! What can I bring you?")
    #expect(talk.tell("a margherita with olives and ham please") == "needsValue: Small, medium or large?")
    #expect(
      talk.tell("a big one") == "needsConfirmation: One large margherita pizza with olives, ham, right?")
    #expect(talk.tell("yes") == "ready: Your margherita is in the oven.")
    #expect(
      talk.tell("the same as before but without olives")
        == "needsConfirmation: One large margherita pizza with ham, right?")
    #expect(
      talk.tell("no, make it small") == "needsConfirmation: One small margherita pizza with ham, right?")
    #expect(
      talk.tell("and with mushrooms")
        == "needsConfirmation: One small margherita pizza with ham, mushrooms, right?")
    #expect(talk.tell("yes").hasPrefix("ready"))
    #expect(talk.tell("do you sell cars") == "ready: Sorry, I only take orders for pizza.")
    #expect(talk.tell("how are you") == "ready: Fine, and hungry. What can I bring you?")
    #expect(talk.tell("another one with extra cheese").hasPrefix("needsConfirmation: One small margherita"))
  }

  @Test func removedToppingsMayBeAddedAgain() throws {
    var talk = try Self.talk("order")
    #expect(
      talk.tell("a large margherita with ham but without onions")
        == "needsConfirmation: One large margherita pizza with ham, without onions, right?")
    _ = talk.say("yes")
    #expect(
      talk.tell("same as before with onions")
        == "needsConfirmation: One large margherita pizza with ham, onions, right?")
    _ = talk.say("no")
    _ = talk.say("zero large salami pizzas")
    #expect(talk.tell("one") == "needsConfirmation: 1 large salami pizza, right?")
  }

  @Test(.needsOptimization, arguments: ["grocery", "ride", "order"]) func aTurnTakesAtMostTwoMilliseconds(
    _ name: String
  ) throws {
    var talk = try Self.talk(name)
    let turns = [
      "book me a car to the airport", "the limo", "from home", "a margherita with olives and ham please",
      "large",
      "the same as before but without olives", "I want to buy cheese, but I already have potatoes",
      "never mind",
      "the quick brown fox jumps over the lazy dog",
    ]
    for text in turns { _ = talk.say(text) }
    let start = MonotonicClock.threadTime()
    for _ in 0..<10 { for text in turns { _ = talk.say(text) } }
    let mean = (MonotonicClock.threadTime() - start) / Double(10 * turns.count)
    print("\(name): \(mean * 1_000) ms a turn")
    #expect(mean < 0.002)
  }
}
