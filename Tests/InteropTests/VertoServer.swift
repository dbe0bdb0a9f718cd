import Base
import Bench
import Foundation
import Glibc
import JSON
import Rig

/// `Tests/Servers/verto.py`: a Verto server with aiortc's media, whose users are 101 and 102. It bridges their calls.
final class VertoServer {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let python = Workplace.root + "/.build/webrtc/bin/python"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: python) }

    private let process: ChildProcess
    private let log: String
    private let orders: Int32
    private(set) var port: UInt16 = 0

    static func password(of user: String) -> String { "word-of-\(user)" }

    /// - Parameters:
    ///   - dialect: `telnyx` or `freeswitch`.
    ///   - authority: who says that it is `localhost`, for TLS.
    init(folder: String, dialect: String, authority: TestAuthority? = nil) throws {
        try TextFile.makeFolder(folder)
        log = folder + "/log"
        let pipe = folder + "/orders"
        guard mkfifo(pipe, 0o600) == 0 else { throw Failure(description: "mkfifo \(pipe) failed") }
        // Open for both directions, so that its input does not end before this does.
        orders = open(pipe, O_RDWR | O_CLOEXEC)
        let users = ["101", "102"].flatMap { ["--user", "\($0):\(Self.password(of: $0))"] }
        let security = authority.map { ["--certificate", $0.certificate, "--key", $0.key] } ?? []
        process = try ChildProcess(
            ["sh", "-c", "exec \"$0\" \"$@\" < '\(pipe)'"]
                + [Self.python, "-B", Workplace.root + "/Tests/Servers/verto.py", "--dialect", dialect] + users
                + security,
            environment: ["HOME": folder], log: log)
        port = UInt16(try wait(for: "listening", upTo: .seconds(20))["port"]?.integer ?? 0)
    }

    deinit {
        close(orders)
        _ = process.stop()
    }

    /// Has it do something: `{"do": …}`.
    func order(_ json: String) {
        let text = json + "\n"
        _ = write(orders, text, text.utf8.count)
    }

    /// All events with this name so far.
    func events(_ name: String) -> [JSONValue] {
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return said.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
            .filter { $0["event"]?.string == name }
    }

    /// Waits for the event, or for so many of it, and returns the last.
    @discardableResult
    func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let events = events(name)
            if events.count >= times, let event = events.last { return event }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw Failure(
            description: "the server said no \(name): \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
    }

    @discardableResult
    func stop() -> ChildProcess.Exit? { process.stop().exit }
}
