import Networking

/// The files of the page, which are part of the program.
enum PageFiles {
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
  ]

  static let openAPI = PackageResources.openapi_json

  /// The files by their paths.
  static let all: [String: [UInt8]] = [
    "/": PackageResources.index_html,
    "/style.css": PackageResources.style_css,
    "/icon.svg": PackageResources.icon_svg,
    "/app.js": PackageResources.app_js,
    "/api.js": PackageResources.api_js,
    "/live.js": PackageResources.live_js,
    "/clips.js": PackageResources.clips_js,
    "/sound.js": PackageResources.sound_js,
    "/teach.js": PackageResources.teach_js,
    "/takes.js": PackageResources.takes_js,
    "/model.js": PackageResources.model_js,
    "/improve.js": PackageResources.improve_js,
    "/curves.js": PackageResources.curves_js,
    "/work.js": PackageResources.work_js,
    "/understand.js": PackageResources.understand_js,
    "/state.js": PackageResources.state_js,
    "/signin.js": PackageResources.signin_js,
    "/editor.js": PackageResources.editor_js,
    "/speak.js": PackageResources.speak_js,
    "/capture.js": PackageResources.capture_js,
    "/microphone.js": PackageResources.microphone_js,
  ]

  /// The file at a path; nil if there is none.
  static func response(_ path: String) -> ServedResponse? {
    guard let bytes = all[path] else { return nil }
    let ending = path.split(separator: ".").last.map(String.init) ?? ""
    return ServedResponse(type: types[ending] ?? types["html"]!, bytes)
  }
}
