import CommandLineParsing
import Glibc
import Platform

Program.run(Program.words(CommandLine.arguments), commands: CommandTable.commands) { command, words in
  switch command.name {
  case CommandTable.run.name: try RunCommand.run(Arguments(words, for: command))
  case CommandTable.detect.name: try DetectCommand.run(Arguments(words, for: command))
  case CommandTable.score.name: try ScoreCommand.run(Arguments(words, for: command))
  case CommandTable.engine.name: try EngineCommand.run(Arguments(words, for: command))
  case CommandTable.enroll.name: try EnrollCommand.run(Arguments(words, for: command))
  case CommandTable.record.name: try RecordCommand.run(Arguments(words, for: command))
  case CommandTable.transcribe.name: try TranscribeCommand.run(Arguments(words, for: command))
  case CommandTable.understand.name: try UnderstandCommand.run(Arguments(words, for: command))
  case CommandTable.serve.name: try ServeCommand.run(Arguments(words, for: command))
  case CommandTable.satellite.name: try SatelliteCommand.run(Arguments(words, for: command))
  case CommandTable.review.name: try ReviewCommand.run(Arguments(words, for: command))
  case CommandTable.devices.name: try DevicesCommand.run(Arguments(words, for: command))
  case CommandTable.monitor.name: try MonitorCommand.run(Arguments(words, for: command))
  case CommandTable.doctor.name: try DoctorCommand.run(Arguments(words, for: command))
  case CommandTable.models.name: try ModelsCommand.run(Arguments(words, for: command))
  case CommandTable.completions.name: try CompletionsCommand.run(Arguments(words, for: command))
  case CommandTable.manual.name: try ManualCommand.run(Arguments(words, for: command))
  default:
    _ = try Arguments(words, for: command)
    try Helper.become(command.name, words)
  }
}
