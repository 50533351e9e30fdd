import Networking
import Platform

/// Why a request of a page is not carried out: the status of the answer, and its message.
enum WebFault: Error, Sendable {
  case badHost
  /// A page of another origin sent the request.
  case badOrigin
  /// A request that changes something has no token or a wrong one.
  case noToken
  /// The page's token has not been given.
  case notSignedIn
  /// The page's token is wrong.
  case wrongToken
  /// Too many wrong tokens came from this client.
  case tooManyAttempts
  case tooLarge(limit: Int)
  case tooManyRequests
  case tooManyPages(limit: Int)
  case notFound
  case wrongMethod(allowed: [String])
  /// The body is not JSON.
  case notJSON(JSONDefect?)
  case badField(String, expected: String)
  case noClip(String)
  case noModel(String)
  // Teaching phrases.
  case noPhrase(String)
  case noTake(String)
  /// No model of this name is installed or waits to be.
  case unknownModel(String)
  case noVersion(String, ModelVersions.Version)
  /// The installed model came with the program.
  case shippedModel(String)
  /// Background work on this model runs.
  case working(String)
  case notAudio
  /// A program rejected what it was given, with its message.
  case refused(String)
  /// Only clips and sentences are served, because no service runs in this program.
  case noService
  /// The same work is being done for another request.
  case busy
  /// Editing files needs a page that asks for a token.
  case needsPageToken
  /// There is no configuration file or no intent file.
  case noFile(String)
  /// The file is not the one that was read.
  case changedMeanwhile(String)
  case fault(any Fault)

  var status: Int {
    switch self {
    case .badHost, .badOrigin, .noToken, .needsPageToken: 403
    case .notSignedIn, .wrongToken: 401
    case .tooLarge: 413
    case .tooManyRequests, .tooManyAttempts, .busy: 429
    case .tooManyPages: 503
    case .notFound, .noClip, .noModel, .noFile, .noPhrase, .noTake, .unknownModel: 404
    case .wrongMethod: 405
    case .notJSON, .badField, .notAudio, .refused: 400
    case .noService, .changedMeanwhile, .noVersion, .shippedModel, .working: 409
    case .fault(let fault): fault.exitCode == .usage ? 400 : 500
    }
  }

  var message: String {
    switch self {
    case .badHost:
      "the request's Host is not this machine; use 127.0.0.1 or localhost, or add the name with web-name"
    case .badOrigin: "the request comes from another site; open the page that this program serves"
    case .noToken: "the token is missing or wrong; reload the page, or read it from /api/session"
    case .notSignedIn: "this needs the page's token; open the page and give it, or send it as a Bearer token"
    case .wrongToken: "the token is wrong; its file is named when the program starts"
    case .tooManyAttempts: "too many wrong tokens; wait a minute"
    case .tooLarge(let limit): "the request is larger than \(limit) bytes"
    case .tooManyRequests: "too many requests; wait a second"
    case .tooManyPages(let limit): "\(limit) pages show the live view already; close one"
    case .notFound: "there is nothing at this address; /api/openapi.json lists what there is"
    case .wrongMethod(let allowed): "this address takes \(allowed.joined(separator: ", ")) only"
    case .notJSON(let defect):
      "the body is not a JSON object of the type application/json"
        + (defect.map { " (line \($0.line), column \($0.column))" } ?? "")
    case .badField(let name, let expected): "\(name): takes \(expected)"
    case .noClip(let name): "\(name): there is no such clip; it may have been deleted"
    case .noModel(let name): "\(name): the service does not listen for this hotword"
    case .noPhrase(let name): "\(name): there is no such phrase; add it first"
    case .noTake(let name): "\(name): there is no such recording; it may have been deleted"
    case .unknownModel(let name): "\(name): there is no such model; train it first"
    case .noVersion(let name, .candidate): "\(name): no new version waits; train or improve it first"
    case .noVersion(let name, .installed): "\(name): the model is not installed; train it and use it first"
    case .noVersion(let name, .previous): "\(name): there is no previous version"
    case .shippedModel(let name): "\(name): this model came with the program and is not removed from here"
    case .working(let name): "\(name): work on this model runs; wait until it has ended, or cancel it"
    case .notAudio: "the body is not a recording of the type audio/wav"
    case .refused(let message): message
    case .noService: "no service runs in this program; start 'hotword run --web'"
    case .needsPageToken:
      "files are edited only on a page that asks for a token: start with --web-token FILE"
    case .noFile(let name):
      name == "intents"
        ? "the built-in intents are used; write your own in a file, and name it with --intents"
        : "there is no configuration file; create ~/.config/hotword/config.yaml and start again"
    case .changedMeanwhile(let path): "\(path): changed by another program meanwhile; load it again"
    case .busy: "this is running already; wait until it has ended"
    case .fault(let fault): fault.message
    }
  }

  var response: ServedResponse {
    var response = ServedResponse.json(["error": .string(message)], status: status)
    switch self {
    case .wrongMethod(let allowed): response.headers.append(("Allow", allowed.joined(separator: ", ")))
    case .tooManyRequests, .busy: response.headers.append(("Retry-After", "1"))
    case .tooManyAttempts: response.headers.append(("Retry-After", "60"))
    case .notSignedIn, .wrongToken: response.headers.append(("WWW-Authenticate", "Bearer"))
    default: break
    }
    return response
  }
}
