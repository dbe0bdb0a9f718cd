import Base
import Bench
import Foundation
import HTTPClient
import JSON
import Rig

/// A server in Python that reports what happens as JSON lines, and ends with its standard input.
final class WebServer {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let folder: String
    private(set) var port: UInt16 = 0
    private let process: ChildProcess
    private let orders: Int32
    private var log: String { folder + "/log" }

    /// `Tests/Servers/web_server.py`, with TLS if a certificate is given.
    convenience init(_ certificates: Certificates? = nil, _ name: String = "server", more: [String] = []) throws {
        let files = certificates.map { ["--certificate", $0.certificate(name), "--key", $0.key(name)] } ?? []
        try self.init(["python3", "-B", Workplace.root + "/Tests/Servers/web_server.py"] + files + more)
    }

    init(_ words: [String], folder: String = NSTemporaryDirectory() + "oh-web-\(UUID().uuidString.prefix(8))") throws {
        self.folder = folder
        try TextFile.makeFolder(folder)
        let pipe = folder + "/orders"
        guard mkfifo(pipe, 0o600) == 0 else { throw Failure(description: "mkfifo \(pipe) failed") }
        // Open for both directions, so that its input does not end before this does.
        orders = open(pipe, O_RDWR | O_CLOEXEC)
        process = try ChildProcess(["sh", "-c", "exec \"$0\" \"$@\" < '\(pipe)'"] + words, log: folder + "/log")
        port = UInt16(try wait(for: "listening", upTo: .seconds(30))["port"]?.integer ?? 0)
    }

    deinit {
        close(orders)
        _ = process.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// All events with this name so far.
    func events(_ name: String) -> [JSONValue] {
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return said.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
            .filter { $0["event"]?.string == name }
    }

    /// Waits for so many of the event, and returns the last.
    @discardableResult
    func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let events = events(name)
            if events.count >= times, let event = events.last { return event }
            guard process.poll() == nil else { break }
            MonotonicTime.sleep(.milliseconds(5))
        }
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw Failure(description: "the server sent no \(name): \(said.suffix(2_000))")
    }

    /// Sends it a command as a JSON line, and waits until it is done.
    func order(_ json: String) throws {
        let done = events("done").count
        let text = json + "\n"
        _ = write(orders, text, text.utf8.count)
        try wait(for: "done", times: done + 1)
    }

    func kill() { process.signal(SIGKILL) }

    /// The requests that it has read: method and target.
    var requests: [String] {
        events("request").map { "\($0["method"]?.string ?? "") \($0["target"]?.string ?? "")" }
    }

    func url(_ target: String, _ scheme: String = "http") -> String { "\(scheme)://localhost:\(port)\(target)" }
}
