import CommandLineParsing

// A program of its own, so that the listening program loads nothing that only training needs.
Program.run(
  CommandLine.arguments,
  commands: [
    TrainCommand.self, TrainEncoderCommand.self, EvaluateCommand.self, PersonalizeCommand.self,
    PhraseCommand.self, SayCommand.self, VoicesCommand.self, SpeakersCommand.self,
  ])
