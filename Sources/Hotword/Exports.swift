// What a program that imports Hotword alone sees besides: models, sensitivities, hits, and the format of the sound.
@_exported import Detection
@_exported import enum Platform.AudioFormat
@_exported import protocol Platform.Fault
@_exported import typealias Platform.SampleIndex
