import Base
import Control
import Glibc
import JSON

/// A phone under rehearsal: its process, its control connection, its sound card.
public final class RigPhone {
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case notUp(name: String, log: String)
        case noEvent(name: String, awaited: String, last: [String])

        public var description: String {
            switch self {
            case .notUp(let name, let log): "\(name) did not come up; see \(log)"
            case .noEvent(let name, let awaited, let last):
                "\(name): waited in vain for \(awaited); the last events were \(last.joined(separator: ", "))"
            }
        }
    }

    public let name: String
    public let folder: PhoneFolder
    public let process: ChildProcess
    public let ear: Wire
    public let mouth: Wire
    /// Every event so far, in order.
    public private(set) var events: [ControlEvent] = []

    private var client: ControlClient
    /// For each name, how many of the events were already consumed by a wait for that name.
    private var seen: [String: Int] = [:]

    /// Starts the phone and waits until it answers on its socket.
    public init(name: String, folder: PhoneFolder, program: String, prefix: [String] = []) throws {
        self.name = name
        self.folder = folder
        ear = try Wire(path: folder.card.ear)
        mouth = try Wire(path: folder.card.mouth)
        process = try folder.start(program: program, prefix: prefix)
        client = try Self.connect(name, folder, process)
        try client.subscribe()
    }

    @discardableResult
    public func ask(
        _ method: String, _ params: [String: JSONValue] = [:], upTo limit: Duration = .seconds(10)
    ) throws -> JSONValue {
        try client.call(method, params, timeout: limit)
    }

    /// Waits until the phone has restarted after a request. Its events count from there on.
    public func waitForRestart(upTo limit: Duration = .seconds(10)) throws {
        let end = MonotonicTime.now + limit
        do {
            while MonotonicTime.now < end { _ = try client.nextEvent(timeout: .milliseconds(200)) }
            throw Failure.noEvent(name: name, awaited: "its end", last: recent)
        } catch is ControlClientError {
            client = try Self.connect(name, folder, process)
        }
        (events, seen) = ([], [:])
        try client.subscribe()
    }

    /// The next event of this name after the last one, if it fits the condition.
    @discardableResult
    public func wait(
        for awaited: String, upTo limit: Duration = .seconds(5), where matches: (ControlEvent) -> Bool = { _ in true }
    ) throws -> ControlEvent {
        let end = MonotonicTime.now + limit
        while true {
            while let event = unseen(awaited) { if matches(event) { return event } }
            guard let event = try client.nextEvent(timeout: max(.zero, end - MonotonicTime.now)) else {
                throw Failure.noEvent(name: name, awaited: awaited, last: recent)
            }
            events.append(event)
        }
    }

    private func unseen(_ name: String) -> ControlEvent? {
        let rest = events[(seen[name] ?? 0)...]
        let index = rest.firstIndex { $0.name == name }
        seen[name] = index.map { $0 + 1 } ?? events.count
        return index.map { events[$0] }
    }

    /// Reads all events so far, without waiting for a particular one.
    public func collect() throws {
        while let event = try client.nextEvent(timeout: .zero) { events.append(event) }
    }

    /// The remembered messages of its lines, in order.
    public func signals() throws -> [ControlSignal] {
        var (all, seen) = ([ControlSignal](), Int64(0))
        while true {
            let page = try client.signals(after: seen)
            guard !page.signals.isEmpty else { return all }
            all += page.signals
            seen = page.last
        }
    }

    /// Events of one name, waited for or not.
    public func all(_ name: String) -> [ControlEvent] { events.filter { $0.name == name } }

    /// Waits until a line of the phone is ready for calls.
    public func waitUntilReady(upTo limit: Duration = .seconds(10)) throws {
        try waitUntilLine(is: ["notNeeded", "registered"], upTo: limit)
    }

    /// Waits until a line of an account is in one of these states. It may have been before any subscription.
    public func waitUntilLine(is states: Set<String>, upTo limit: Duration = .seconds(10)) throws {
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let lines = try ask("getSnapshot")["registrations"]?.array ?? []
            if lines.contains(where: { states.contains($0["state"]?.string ?? "") && $0["account"] != 0 }) { return }
            MonotonicTime.sleep(.milliseconds(20))
        }
        throw Failure.noEvent(
            name: name, awaited: "a line to be \(states.sorted().joined(separator: " or "))",
            last: recent)
    }

    /// Waits until the phone's host has a path. A new link needs a moment.
    public func waitUntilConnected(upTo limit: Duration = .seconds(10)) throws {
        let end = MonotonicTime.now + limit
        while try ask("getNetworkStatus")["status"] != "connected" {
            guard MonotonicTime.now < end else {
                throw Failure.noEvent(name: name, awaited: "a path", last: recent)
            }
            MonotonicTime.sleep(.milliseconds(10))
        }
    }

    /// The last events, to explain a missing one; without the frequent ones.
    private var recent: [String] {
        let usual: Set = ["callDurationUpdated", "callQualityUpdated", "line"]
        return events.map(\.name).filter { !usual.contains($0) }.suffix(12)
    }

    private static func connect(
        _ name: String, _ folder: PhoneFolder, _ process: ChildProcess
    ) throws -> ControlClient {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end, process.poll() == nil {
            do {
                return try ControlClient(path: folder.socket)
            } catch ControlClientError.unreachable {
                MonotonicTime.sleep(.milliseconds(10))
            }
        }
        throw Failure.notUp(name: name, log: folder.log)
    }
}
