import Base
import Bench
import Foundation
import JSON

/// The reference backend (docs/backend.md) for one test, over HTTPS.
public final class BackendServer {
    public struct Failure: Error, CustomStringConvertible { public let description: String }

    public static let python = Workplace.root + "/.build/backend/bin/python"
    public static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python) }

    public let folder: String
    public private(set) var url = ""
    public private(set) var hasBroker = false
    private var process: ChildProcess?
    private var orders: Int32 = -1
    private var log: String { folder + "/log" }
    public var authority: String { folder + "/tls/ca.crt" }

    public init(broker: Bool = false) throws {
        folder = NSTemporaryDirectory() + "oh-backend-\(UUID().uuidString.prefix(8))"
        try TextFile.makeFolder(folder)
        guard mkfifo(folder + "/orders", 0o600) == 0 else { throw Failure(description: "mkfifo failed") }
        try start(["--port", "0"] + (broker ? [] : ["--no-broker"]))
        // Sign-ins poll every second.
        try order(["do": "settings", "interval_seconds": 1])
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func start(_ options: [String]) throws {
        try? FileManager.default.removeItem(atPath: log)
        // Open for both directions, so that the server's input does not end before this does.
        orders = open(folder + "/orders", O_RDWR | O_CLOEXEC)
        let words = [
            Self.python, "-B", Workplace.root + "/Tests/Servers/backend/serve.py", "--folder", folder, "--tls",
        ]
        process = try ChildProcess(
            ["sh", "-c", "exec \"$0\" \"$@\" < '\(folder)/orders'"] + words + options, log: log)
        let listening = try wait(for: "listening", upTo: .seconds(30))
        url = listening["url"]?.string ?? ""
        hasBroker = listening["mqtt"]?.object != nil
    }

    /// Starts it again after `stop`, at the same port and with the same data.
    public func startAgain() throws {
        guard let port = url.split(separator: ":").last else { throw Failure(description: "it never ran") }
        try start(["--port", String(port), "--no-broker"])
    }

    public func stop() {
        _ = process?.stop()
        process = nil
        if orders >= 0 { close(orders) }
        orders = -1
    }

    /// All events with this name so far.
    public func events(_ name: String) -> [JSONValue] {
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return said.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
            .filter { $0["event"]?.string == name }
    }

    /// Waits for so many of the event, and returns the last.
    @discardableResult
    public func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end, process?.poll() == nil {
            let events = events(name)
            if events.count >= times, let event = events.last { return event }
            MonotonicTime.sleep(.milliseconds(5))
        }
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw Failure(description: "no \(name) number \(times): \(said.suffix(2_000))")
    }

    /// Carries out a command of docs/backend.md.
    public func order(_ order: JSONValue) throws {
        let done = events("done").count + events("not-done").count
        let line = order.utf8 + [UInt8(ascii: "\n")]
        guard write(orders, line, line.count) == line.count else { throw Failure(description: "cannot order") }
        let end = MonotonicTime.now + .seconds(10)
        while events("done").count + events("not-done").count == done {
            guard MonotonicTime.now < end else { throw Failure(description: "no answer to \(order.text)") }
            MonotonicTime.sleep(.milliseconds(5))
        }
        if let refused = events("not-done").last, refused["do"] == order["do"] {
            throw Failure(description: refused.text)
        }
    }
}
