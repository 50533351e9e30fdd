import CommandLineParsing
import Platform

// The commands that listening never needs, in a program of their own; `hotword` runs it as git runs its kin.
Program.run(
  CommandLine.arguments,
  commands: [
    CommandTable.train, CommandTable.trainEncoder, CommandTable.evaluate, PersonalizeCommand.command,
    VoicesCommand.command,
  ]
) { command, words in
  let arguments = try Arguments(words, for: command)
  switch command.name {
  case "train": try TrainCommand.run(arguments, words: words)
  case "train-encoder": try TrainEncoderCommand.run(arguments)
  case "personalize": try PersonalizeCommand.run(arguments)
  case "voices": try VoicesCommand.run(arguments)
  default: try EvaluateCommand.run(arguments)
  }
}
