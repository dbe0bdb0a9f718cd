import Base
import Glibc
import JSON
import Platform

/// A server of `Tests/Servers`. It reads commands, `{"do": …}`, and writes events, `{"event": …}`: one object a line.
public final class JSONLineServer {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let process: ChildProcess
    private let orders: Int32
    private let output: Int32
    /// What it wrote so far, and the length of the lines that are already in `known`.
    private var bytes: [UInt8] = []
    private var read = 0
    private var known: [JSONValue] = []

    /// Starts it with a new log.
    /// - Parameters:
    /// - words: Its command.
    /// - environment: Additions to this program's own.
    /// - folder: For its log and the pipe of its commands; made if missing.
    /// - preparation: A shell command to run first, in the same process.
    public init(
        _ words: [String], environment: [String: String] = [:], folder: String, preparation: String = ":"
    ) throws {
        try TextFile.makeFolder(folder)
        let (log, pipe) = (folder + "/log", folder + "/orders")
        guard unsafe mkfifo(pipe, 0o600) == 0 || errno == EEXIST else {
            throw Failure(description: "\(pipe) cannot be made: \(SystemError.last)")
        }
        try TextFile.write("", to: log)
        let orders = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        let output = unsafe open(log, O_RDONLY | O_CLOEXEC)
        // Open for both directions, so the server's input does not end before this does.
        (self.orders, self.output) = (orders, output)
        process = try ChildProcess(
            ["sh", "-c", "\(preparation); exec \"$0\" \"$@\" < '\(pipe)'"] + words, environment: environment, log: log)
    }

    deinit {
        _ = process.stop()
        close(orders)
        close(output)
    }

    /// Its output so far.
    public var said: String {
        readOn()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All events so far.
    public var events: [JSONValue] {
        readOn()
        return known
    }

    public func events(_ name: String) -> [JSONValue] { events.filter { $0["event"]?.string == name } }

    /// Waits for so many of the event, and returns the last.
    @discardableResult
    public func wait(for name: String, times: Int = 1, upTo limit: Duration) throws -> JSONValue {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let events = events(name)
            if events.count >= times, let event = events.last { return event }
            guard process.poll() == nil else { break }
            MonotonicTime.sleep(.milliseconds(5))
        }
        throw Failure(description: "the server sent no \(name) number \(times): \(said.suffix(2_000))")
    }

    /// Sends it a command, and does not wait for the answer.
    public func say(_ command: String) throws {
        let line = Array((command + "\n").utf8)
        guard unsafe write(orders, line, line.count) == line.count else {
            throw Failure(description: "the server takes no command: \(SystemError.last)")
        }
    }

    /// Sends it a command, and returns its answer: `done` with the results.
    @discardableResult
    public func order(_ command: JSONValue, upTo limit: Duration = .seconds(10)) throws -> JSONValue {
        let before = answers.count
        try say(command.text)
        let end = MonotonicTime.now + limit
        while answers.count == before {
            guard MonotonicTime.now < end else { throw Failure(description: "no answer to \(command.text)") }
            MonotonicTime.sleep(.milliseconds(5))
        }
        let answer = answers[before]
        guard answer["event"] == "done" else { throw Failure(description: answer.text) }
        return answer
    }

    public func stop() -> ChildProcess.Exit? { process.stop().exit }

    /// Kills it, so that it cannot close its connections by itself.
    public func kill() { process.signal(SIGKILL) }

    private var answers: [JSONValue] { events.filter { ["done", "not-done"].contains($0["event"]?.string) } }

    /// Reads what was written since the last time.
    private func readOn() {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(output, &part, part.count)
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        while let end = bytes[read...].firstIndex(of: UInt8(ascii: "\n")) {
            // A server also writes what Python complains about.
            if let event = try? JSONValue(parsing: Array(bytes[read..<end])) { known.append(event) }
            read = end + 1
        }
    }
}
