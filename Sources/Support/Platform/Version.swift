/// The version of the programs and the libraries, which model files contain too.
public enum Version {
  @_transparent
  public static var text: StaticString { "0.1.0" }
}
