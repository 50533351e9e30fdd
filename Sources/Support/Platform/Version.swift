/// The version of this package: what the program and the library tell, and what model files name.
public enum Version {
  @_transparent
  public static var text: StaticString { "0.1.0" }
}
