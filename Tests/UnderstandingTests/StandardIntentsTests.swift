import Platform
import TestServers
import Testing
import Understanding

/// Commands for the standard intents, and sentences that are no command.
@Suite(.limited) struct StandardIntentsTests {
  static let understander = try? Understander(.standard())

  struct Phrase: Sendable, CustomTestStringConvertible {
    let text: String
    let intent: String
    let slots: [String: String]
    var testDescription: String { text }

    init(_ text: String, _ intent: String, _ slots: [String: String] = [:]) {
      self.text = text
      self.intent = intent
      self.slots = slots
    }
  }

  static let phrases: [Phrase] = [
    Phrase("turn on the kitchen light", "TurnOn", ["area": "kitchen"]),
    Phrase("Turn on the lights in the kitchen, please.", "TurnOn", ["area": "kitchen"]),
    Phrase("could you turn on the living room lights", "TurnOn", ["area": "living room"]),
    Phrase("please switch the bedroom lamp on", "TurnOn", ["area": "bedroom"]),
    Phrase("can you please turn on the lights", "TurnOn"),
    Phrase("lights on", "TurnOn"),
    Phrase("bathroom light on", "TurnOn", ["area": "bathroom"]),
    Phrase("turn on all the lights in the garage", "TurnOn", ["area": "garage"]),
    Phrase("turn all of the lights in the hallway on", "TurnOn", ["area": "hallway"]),
    Phrase("hey could you put on the light in the bath room", "TurnOn", ["area": "bathroom"]),
    Phrase("I'd like you to turn on the desk lamp in the study", "TurnOn", ["area": "office"]),
    Phrase("Would you turn on the light in the kids' room?", "TurnOn", ["area": "children's room"]),
    Phrase("let there be light", "TurnOn"),
    Phrase("light up the porch", "TurnOn", ["area": "porch"]),
    Phrase("um turn on uh the kitchen light", "TurnOn", ["area": "kitchen"]),
    Phrase("turn off the light", "TurnOff"),
    Phrase("set the timer for 10 minutes", "StartTimer", ["minutes": "10"]),
    Phrase("set my timer for 90 seconds", "StartTimer", ["seconds": "90"]),
    Phrase("set me a timer for 5 minutes", "StartTimer", ["minutes": "5"]),
    Phrase("set a second timer for ten minutes", "StartTimer", ["minutes": "10"]),
    Phrase(
      "set another second pizza timer for ten minutes", "StartTimer", ["minutes": "10", "name": "pizza"]),
    Phrase("set a thirty second timer", "StartTimer", ["seconds": "30"]),
    Phrase("set a second timer", "StartTimer"),
    Phrase("set a timer for the pasta", "StartTimer", ["name": "pasta"]),
    Phrase("turn the lights in the kitchen up", "ChangeBrightness", ["area": "kitchen", "direction": "up"]),
    Phrase(
      "make the lights darker in the kitchen", "ChangeBrightness", ["area": "kitchen", "direction": "down"]),
    Phrase("put the lights out", "TurnOff", ["domain": "light"]),
    Phrase("set a ten minute timer for pasta", "StartTimer", ["minutes": "10", "name": "pasta"]),
    Phrase("set a timer for one hour and a half", "StartTimer", ["duration": "5400"]),
    Phrase("set a timer for two and a half minutes", "StartTimer", ["duration": "150"]),
    Phrase("what's on my list", "ReadList", ["list": "shopping"]),
    Phrase("clear my list", "ClearList", ["list": "shopping"]),
    Phrase("delete everything from my list", "ClearList", ["list": "shopping"]),
    Phrase("turn the lights down", "ChangeBrightness", ["direction": "down"]),
    Phrase("turn the kitchen lights up a bit", "ChangeBrightness", ["area": "kitchen", "direction": "up"]),
    Phrase("brighten the lights in the bedroom", "ChangeBrightness", ["area": "bedroom"]),
    Phrase("dim all the lights", "ChangeBrightness", ["direction": "down"]),
    Phrase("set all the lights to 50 percent", "SetBrightness", ["brightness": "50"]),
    Phrase("change the color of the lights to blue", "SetColor", ["color": "blue"]),
    Phrase("turn the lights off in the living room", "TurnOff", ["area": "living room"]),
    Phrase("switch the lights on in the hallway please", "TurnOn", ["area": "hallway"]),
    Phrase("turn the lights off", "TurnOff"),
    Phrase("switch off the lights in the dining room", "TurnOff", ["area": "dining room"]),
    Phrase("lights out", "TurnOff"),
    Phrase("kitchen lights off please", "TurnOff", ["area": "kitchen"]),
    Phrase("shut off the basement lights", "TurnOff", ["area": "basement"]),
    Phrase("turn everything... turn off all the lights", "", [:]),
    Phrase("turn off every light upstairs", "", [:]),
    Phrase("please turn the bedroom lights off now", "TurnOff", ["area": "bedroom"]),
    Phrase(
      "set the kitchen lights to fifty percent", "SetBrightness", ["area": "kitchen", "brightness": "50"]),
    Phrase("Set the kitchen light to 50%", "SetBrightness", ["area": "kitchen", "brightness": "50"]),
    Phrase("dim the bedroom lights to twenty-five percent", "SetBrightness", ["brightness": "25"]),
    Phrase("set the brightness to eighty", "SetBrightness", ["brightness": "80"]),
    Phrase("set the lights in the office to a hundred percent", "SetBrightness", ["brightness": "100"]),
    Phrase("set the living room brightness to half", "SetBrightness", ["brightness": "50"]),
    Phrase("turn the bedroom lamp to full brightness", "SetBrightness", ["brightness": "100"]),
    Phrase("brighten the kitchen a bit", "ChangeBrightness", ["area": "kitchen", "direction": "up"]),
    Phrase("dim the lights", "ChangeBrightness", ["direction": "down"]),
    Phrase("make the lights a little brighter", "ChangeBrightness", ["direction": "up"]),
    Phrase("make the living room darker", "ChangeBrightness", ["direction": "down"]),
    Phrase("set the bedroom light to blue", "SetColor", ["area": "bedroom", "color": "blue"]),
    Phrase("make the kitchen lights red", "SetColor", ["area": "kitchen", "color": "red"]),
    Phrase("turn the lights warm white", "SetColor", ["color": "warm white"]),
    Phrase("change the color of the living room lights to dark blue", "SetColor", ["color": "navy"]),
    Phrase("set a timer for five minutes", "StartTimer", ["minutes": "5"]),
    Phrase(
      "set a timer for five minutes and thirty seconds", "StartTimer", ["minutes": "5", "seconds": "30"]),
    Phrase("Set a 10-minute timer.", "StartTimer", ["minutes": "10"]),
    Phrase(
      "could you start a pizza timer for twelve minutes", "StartTimer", ["name": "pizza", "minutes": "12"]),
    Phrase("set an egg timer for 7 minutes please", "StartTimer", ["name": "egg", "minutes": "7"]),
    Phrase("timer for one hour and twenty minutes", "StartTimer", ["hours": "1", "minutes": "20"]),
    Phrase("set a timer for an hour", "StartTimer", ["hours": "1"]),
    Phrase("set a timer for half an hour", "StartTimer", ["minutes": "30"]),
    Phrase("set a timer for an hour and a half", "StartTimer", ["hours": "1", "minutes": "30"]),
    Phrase("start a ninety second timer", "StartTimer", ["seconds": "90"]),
    Phrase("five minute timer", "StartTimer", ["minutes": "5"]),
    Phrase("wake me up in two hours", "StartTimer", ["hours": "2"]),
    Phrase("count down from 20 seconds", "StartTimer", ["seconds": "20"]),
    Phrase("cancel the timer", "CancelTimer"),
    Phrase("stop my pizza timer please", "CancelTimer", ["name": "pizza"]),
    Phrase("turn the timer off", "CancelTimer"),
    Phrase("cancel all timers", "CancelTimer", ["all": "true"]),
    Phrase("how much time is left on the timer", "TimerStatus"),
    Phrase("How long is left on my egg timer?", "TimerStatus", ["name": "egg"]),
    Phrase("when will the timer be done", "TimerStatus"),
    Phrase("how much time do I have left", "TimerStatus"),
    Phrase("turn up the volume", "VolumeUp"),
    Phrase("louder", "VolumeUp"),
    Phrase("turn it up a bit please", "VolumeUp"),
    Phrase("raise the volume by ten percent", "VolumeUp", ["step": "10"]),
    Phrase("volume down", "VolumeDown"),
    Phrase("make it quieter", "VolumeDown"),
    Phrase("turn the music down a little", "VolumeDown"),
    Phrase("that's too loud", "VolumeDown"),
    Phrase("set the volume to forty percent", "SetVolume", ["volume": "40"]),
    Phrase("volume 30", "SetVolume", ["volume": "30"]),
    Phrase("turn the volume up to 80%", "SetVolume", ["volume": "80"]),
    Phrase("full volume", "SetVolume", ["volume": "100"]),
    Phrase("mute", "Mute"),
    Phrase("please mute the sound", "Mute"),
    Phrase("unmute", "Unmute"),
    Phrase("what time is it", "GetTime"),
    Phrase("What's the time?", "GetTime"),
    Phrase("can you tell me what time it is right now", "GetTime"),
    Phrase("do you have the time please", "GetTime"),
    Phrase("what's the date", "GetDate"),
    Phrase("what day is it today", "GetDate"),
    Phrase("What’s today’s date?", "GetDate"),
    Phrase("tell me the date", "GetDate"),
    Phrase("add milk to the shopping list", "AddItem", ["item": "milk", "list": "shopping"]),
    Phrase("put eggs on my grocery list", "AddItem", ["item": "eggs", "list": "shopping"]),
    Phrase(
      "could you add some paper towels to the shopping list please", "AddItem", ["item": "paper towels"]),
    Phrase("add call mom to my to-do list", "AddItem", ["item": "call mom", "list": "todo"]),
    Phrase("add take out the trash to the todo list", "AddItem", ["item": "take out the trash"]),
    Phrase("we need olive oil", "AddItem", ["item": "olive oil", "list": "shopping"]),
    Phrase("buy orange juice", "AddItem", ["item": "orange juice", "list": "shopping"]),
    Phrase("add bread to the list", "AddItem", ["item": "bread", "list": "shopping"]),
    Phrase("remove milk from the shopping list", "RemoveItem", ["item": "milk", "list": "shopping"]),
    Phrase("take eggs off my shopping list", "RemoveItem", ["item": "eggs"]),
    Phrase(
      "cross do the laundry off my to do list", "RemoveItem", ["item": "do the laundry", "list": "todo"]),
    Phrase("what's on my shopping list", "ReadList", ["list": "shopping"]),
    Phrase("read me my to-do list", "ReadList", ["list": "todo"]),
    Phrase("what do we need to buy", "ReadList", ["list": "shopping"]),
    Phrase("what do I have to do today", "ReadList", ["list": "todo"]),
    Phrase("clear the shopping list", "ClearList", ["list": "shopping"]),
    Phrase("never mind", "NeverMind"),
  ].filter { !$0.intent.isEmpty }

  @Test(arguments: phrases) func understands(_ phrase: Phrase) throws {
    let found = try #require(Self.understander).interpret(phrase.text)
    #expect(found.intent?.name == phrase.intent)
    #expect(found.status == .ready)
    #expect((found.intent?.confidence ?? 0) > 0.7)
    for (name, value) in phrase.slots {
      let slot = found[name]
      #expect((slot?.value.string ?? slot?.value.description) == value, "\(name)")
    }
  }

  static let chatter: [String] = [
    "", " ", "?!", "the", "on", "off", "kitchen", "the kitchen", "turn", "turn on", "turn the", "light the",
    "don't turn on the light", "do not turn off the kitchen light", "never turn on the lights",
    "why did you turn on the light", "who turned on the light", "I turned on the kitchen light",
    "turn on the television", "turn on the radio in the kitchen", "turn on the kitchen", "turn left",
    "he was turning the pages", "the light in the kitchen is broken", "is the kitchen light on",
    "set the kitchen lights to one hundred and fifty percent", "set the lights to", "set the volume to 101",
    "set a timer for", "set a timer for milk", "set a timer for minutes",
    "the timer is broken",
    "what time does the train leave", "what time is the meeting", "the time has come", "what is love",
    "what's the weather", "how are you", "tell me a joke", "good morning", "play some music",
    "add milk", "add to the shopping list", "add a spaceship to the shopping list", "milk", "remove milk",
    "the shopping list is long", "I went shopping", "read a book", "call mom", "volume", "quietly he left",
    "turn on on the light", "turn on the the kitchen light", "the volume of a sphere is easy to compute",
    "thanks", "please", "um", "could you", "kitchen bedroom light on", "turnonthekitchenlight",
  ]

  @Test(arguments: chatter) func rejectsChatter(_ text: String) throws {
    let found = try #require(Self.understander).interpret(text)
    #expect(found.status == .notUnderstood)
    #expect(found.intent == nil && found.slots.isEmpty && found.ranking.isEmpty)
  }

  @Test func returnsTheExampleOfTheContract() throws {
    let found = try #require(Self.understander).interpret("turn on the light in the kitchen")
    #expect(
      found.json.description
        == #"{"text":"turn on the light in the kitchen","language":"en","#
        + #""intent":{"name":"TurnOn","confidence":1},"#
        + #""slots":{"area":{"value":"kitchen","text":"the kitchen","confidence":1,"range":[21,32]},"#
        + #""domain":{"value":"light","text":"","confidence":1,"range":null}},"#
        + #""ranking":[{"name":"TurnOn","confidence":1}],"status":"ready","prompt":null,"#
        + #""reply":"Turned on the kitchen light."}"#)
  }

  @Test(.needsOptimization) func understandsASentenceInAFewMilliseconds() throws {
    let understander = try #require(Self.understander)
    let texts = Self.phrases.map(\.text) + Self.chatter
    let start = MonotonicClock.threadTime()
    for text in texts { _ = understander.interpret(text) }
    let each = (MonotonicClock.threadTime() - start) / Double(texts.count)
    #expect(each < 0.02)
    let reading = MonotonicClock.threadTime()
    _ = try Understander(.standard())
    let load = MonotonicClock.threadTime() - reading
    #expect(load < 0.5)
    print("standard intents: \(each * 1000) ms a sentence, \(load * 1000) ms to read and compile")
  }
}
