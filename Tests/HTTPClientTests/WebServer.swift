import Base
import Bench
import Foundation
import HTTPClient
import JSON
import Rig

/// A web server of `Tests/Servers`, in its own temporary folder.
final class WebServer {
    let folder: String
    let port: UInt16
    private let server: JSONLineServer

    /// `Tests/Servers/web_server.py`, with TLS if a certificate is given.
    convenience init(_ certificates: Certificates? = nil, _ name: String = "server", more: [String] = []) throws {
        let files = certificates.map { ["--certificate", $0.certificate(name), "--key", $0.key(name)] } ?? []
        try self.init(["python3", "-B", Workplace.root + "/Tests/Servers/web_server.py"] + files + more)
    }

    init(_ words: [String], folder: String = NSTemporaryDirectory() + "oh-web-\(UUID().uuidString.prefix(8))") throws {
        self.folder = folder
        server = try JSONLineServer(words, folder: folder)
        port = UInt16(try server.wait(for: "listening", upTo: .seconds(30))["port"]?.integer ?? 0)
    }

    deinit {
        _ = server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// All events with this name so far.
    func events(_ name: String) -> [JSONValue] { server.events(name) }

    /// Waits for so many of the event, and returns the last.
    @discardableResult
    func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        try server.wait(for: name, times: times, upTo: limit)
    }

    /// Sends it a command as a JSON line, and waits until it is done.
    func order(_ json: String) throws { try server.order(JSONValue(parsing: Array(json.utf8))) }

    func kill() { server.kill() }

    /// The requests that it has read: method and target.
    var requests: [String] {
        events("request").map { "\($0["method"]?.string ?? "") \($0["target"]?.string ?? "")" }
    }

    func url(_ target: String, _ scheme: String = "http") -> String { "\(scheme)://localhost:\(port)\(target)" }
}
