extension IntentFile {
  /// The sentences understood without a file: lights, timers, volume, time and date, shopping and to-do lists.
  ///
  /// Its text is `Resources/home.yaml`, carried in the program.
  public static func standard() throws(IntentFileFault) -> IntentFile {
    try IntentFile(parsing: PackageResources.home_yaml, name: "home.yaml")
  }
}
