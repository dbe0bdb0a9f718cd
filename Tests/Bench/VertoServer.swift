import Base
import Glibc
import JSON
import Platform

/// `Tests/Servers/verto.py`: a Verto server with aiortc's media, for the given users.
public final class VertoServer {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The credentials of a user: a password, or a token.
    public enum Login: Sendable {
        case password(String)
        case token(String)
    }

    public private(set) var port: UInt16 = 0
    private let process: ChildProcess
    private let log: String
    private let orders: Int32

    /// - Parameters:
    /// - python: One that has aiortc; `Scripts/webrtc` makes it.
    /// - script: `verto.py`.
    /// - folder: For its log; made if missing.
    /// - dialect: `telnyx` or `freeswitch`.
    /// - logins: By user.
    /// - prefix: Words before its command that run it on another host.
    /// - more: Further options of `verto.py`.
    public init(
        python: String, script: String, folder: String, dialect: String, logins: KeyValuePairs<String, Login>,
        prefix: [String] = [], more: [String] = []
    ) throws {
        try TextFile.makeFolder(folder)
        log = folder + "/log"
        let pipe = folder + "/orders"
        guard unsafe mkfifo(pipe, 0o600) == 0 || errno == EEXIST else {
            throw Failure(description: "\(pipe) cannot be made: \(SystemError.last)")
        }
        // Open for both directions, so its input does not end before this does.
        orders = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        let users = logins.flatMap { user, login in
            switch login {
            case .password(let password): ["--user", "\(user):\(password)"]
            case .token(let token): ["--token", "\(user):\(token)"]
            }
        }
        // It transcodes voice in Python, and would be late with it beside other tests. Root may raise its priority.
        let start = "renice -n -10 -p $$ > /dev/null 2>&1; exec \"$0\" \"$@\" < '\(pipe)'"
        process = try ChildProcess(
            ["sh", "-c", start] + prefix + [python, "-B", script, "--dialect", dialect] + users + more,
            environment: ["HOME": folder], log: log)
        port = UInt16(try wait(for: "listening", upTo: .seconds(20))["port"]?.integer ?? 0)
    }

    deinit {
        close(orders)
        _ = process.stop()
    }

    /// Sends it a command: `{"do": …}`.
    public func order(_ json: String) {
        let text = json + "\n"
        _ = unsafe write(orders, text, text.utf8.count)
    }

    /// All events with this name so far.
    public func events(_ name: String) -> [JSONValue] {
        said.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
            .filter { $0["event"]?.string == name }
    }

    /// Its output so far, at most 64 KiB.
    public var said: String { (try? TextFile.read(log)) ?? "" }

    /// Waits for the event, or for so many of it, and returns the last.
    @discardableResult
    public func wait(for name: String, times: Int = 1, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let events = events(name)
            if events.count >= times, let event = events.last { return event }
            guard process.poll() == nil else { break }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw Failure(description: "the server sent no \(name): \(said)")
    }

    @discardableResult
    public func stop() -> ChildProcess.Exit? { process.stop().exit }
}
