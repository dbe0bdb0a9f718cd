import Base
import JSON
import NIOCore
import NIOPosix
import PhoneCore
import Platform
import Turns

/// The interface for other programs: JSON-RPC 2.0, one message per line, on a Unix socket, and over HTTP if configured.
///
/// Runs on the given event loop, the control thread: `start`, `perform`, `publish`, `statistics` and `close` are called
/// there and do not block. No client can break a call: every resource that it can use up has a limit, and a slow reader
/// is dropped.
public final class Control: Sendable {
    /// The parts that could not be opened, and the tasks that retry.
    private struct Retries {
        var faults: [ControlPart: ControlError] = [:]
        var tasks: [ControlPart: Scheduled<Void>] = [:]
    }

    private enum Door {
        case shut
        case opening(SocketFile)
        case open(SocketFile, any Channel)
    }

    private let settings: ControlSettings
    private let loop: any EventLoop
    private let report: @Sendable (ControlReport) -> Void
    private let exchange: NIOLoopBoundBox<Exchange>
    private let door: NIOLoopBoundBox<Door>
    /// Limits the work for all programs at the socket in one turn of the loop.
    private let budget: NIOLoopBoundBox<TurnBudget>
    /// Nil while HTTP is not open.
    private let http: NIOLoopBoundBox<HTTPDoor?>
    private let retries: NIOLoopBoundBox<Retries>

    /// - Parameters:
    ///   - loop: An event loop of NIOPosix.
    ///   - post: Passes a request to the phone, which settles its action exactly once. Called on the loop.
    public init(
        _ settings: ControlSettings, loop: any EventLoop, post: @escaping @Sendable (ActionID, Request) -> Void,
        host: ControlHost
    ) {
        (self.settings, self.loop, report) = (settings, loop, host.report)
        exchange = .makeBoxSendingValue(Exchange(settings, post: post, host: host), eventLoop: loop)
        door = .makeBoxSendingValue(.shut, eventLoop: loop)
        budget = .makeBoxSendingValue(TurnBudget(loop: loop), eventLoop: loop)
        http = .makeBoxSendingValue(nil, eventLoop: loop)
        retries = .makeBoxSendingValue(Retries(), eventLoop: loop)
    }

    private static let retry = TimeAmount.seconds(3)

    /// Opens the socket and the HTTP port. When this returns, programs can connect.
    ///
    /// Calls do not need them. A part that cannot be opened is reported, and retried every few seconds until `close`.
    /// - Precondition: not started yet, or closed.
    public func start() {
        guard case .shut = door.value else { preconditionFailure("the control interface is already started") }
        // `close` has ended the budget of an earlier run.
        budget.value = TurnBudget(loop: loop)
        for part in ControlPart.allCases { open(part) }
    }

    private func open(_ part: ControlPart) {
        do throws(ControlError) {
            switch part {
            case .socket: try startSocket()
            case .http: try startHTTP()
            }
            retries.value.tasks[part] = nil
            if retries.value.faults.removeValue(forKey: part) != nil { report(.opened(part)) }
        } catch {
            if retries.value.faults.updateValue(error, forKey: part) != error { report(.notOpen(part, error)) }
            retries.value.tasks[part] = loop.scheduleTask(in: Self.retry) { self.open(part) }
        }
    }

    private func startSocket() throws(ControlError) {
        let (descriptor, file) = try SocketFile.listen(settings)
        door.value = .opening(file)
        ServerBootstrap(group: loop)
            // A program that closes only its sending side, such as `socat`, still gets its answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: TurnGate.readAllocator)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.furnish(channel, of: nil) }
            }
            .withBoundSocket(descriptor)
            .whenComplete { self.listening($0) }
    }

    private func startHTTP() throws(ControlError) {
        guard let settings = settings.http else { return }
        let door = try HTTPDoor(settings, exchange.value, loop: loop)
        try door.open(on: loop)
        http.value = door
    }

    /// Serves HTTP on a channel that somebody else has opened.
    package func serve(_ channel: any Channel) throws {
        guard let settings = settings.http else { preconditionFailure("HTTP is not configured") }
        let door = try http.value ?? HTTPDoor(settings, exchange.value, loop: loop)
        http.value = door
        try door.furnish(channel)
    }

    /// Serves a program of the phone's own user on a channel that somebody else has opened.
    package func serveLines(_ channel: any Channel) throws { try furnish(channel, of: .own) }

    private func furnish(_ channel: any Channel, of credentials: PeerCredentials?) throws {
        try channel.pipeline.syncOperations.addHandlers([
            TurnGate(budget.value), Connection(exchange.value, of: credentials),
        ])
    }

    private func closeHTTP() {
        http.value?.close()
        http.value = nil
    }

    /// The HTTP port, once started; nil without HTTP.
    public var httpPort: UInt16? { http.value?.port }

    /// Answers a client's request, or publishes a notice to all subscribers.
    public func perform(_ effect: ControlEffect) {
        switch effect {
        case .called(let action, let call): exchange.value.note(["callId": call.json], of: action)
        case .signInCode(let action, let code): exchange.value.note(code, of: action)
        case .organisations(let action, let list):
            exchange.value.note(["organizations": .array(list.map(\.json))], of: action)
        case .settled(let action, .fulfilled): exchange.value.finish(action, .success([:]))
        case .settled(let action, .failed(let why)): exchange.value.finish(action, .failure(.failed(why)))
        case .snapshot(let action, let snapshot): exchange.value.show(snapshot, for: action, at: MonotonicClock.now())
        case .notice(let notice): exchange.value.publish(notice, at: MonotonicClock.now())
        }
    }

    /// From now on `getPanel` answers with this description.
    public func describe(_ board: PanelDescription) { exchange.value.describe(board) }

    /// Answers a client's query to the vault.
    public func answer(_ action: ActionID, _ answer: VaultAnswer) { exchange.value.settle(action, answer) }

    /// Answers a client's setup request.
    public func answer(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        exchange.value.settle(action, result)
    }

    /// Publishes an event that is no notice of the machine. An example is a change of a simulated panel's line.
    /// - Parameters:
    ///   - fields: Anything except `name` and `at`; no secrets. Evaluated only if there is a subscriber.
    ///   - at: The time of the event on CLOCK_MONOTONIC; nil is now.
    public func publish(
        _ name: EventName, _ fields: @autoclosure () -> [String: JSONValue] = [:], at instant: Instant? = nil
    ) {
        exchange.value.publish(ControlEvent(name: name.rawValue, at: instant ?? MonotonicClock.now(), fields: fields()))
    }

    /// Stores a line's signalling message for present and later calls of `getSignals`.
    public func publish(_ signal: ControlSignal) { exchange.value.publish(signal) }

    public var statistics: ControlStatistics { exchange.value.statistics }

    /// Statistics of the loop's turns, for each kind of connection.
    public var turns: [String: TurnBudget.Statistics] {
        var turns = ["controlSocket": budget.value.statistics]
        turns["http"] = http.value?.budget.statistics
        return turns
    }

    /// Closes the socket and every connection, and removes the socket's file. Later results of actions are dropped.
    public func close() {
        for task in retries.value.tasks.values { task.cancel() }
        retries.value = Retries()
        closeHTTP()
        switch door.value {
        case .shut: return
        case .opening(let file): file.remove()
        case .open(let file, let channel):
            file.remove()
            channel.close(promise: nil)
        }
        door.value = .shut
        exchange.value.closeAll()
        budget.value.close()
    }

    private func listening(_ result: Result<any Channel, any Error>) {
        switch (door.value, result) {
        case (.opening(let file), .success(let channel)): door.value = .open(file, channel)
        // The interface was closed before the socket was open.
        case (.shut, .success(let channel)), (.open, .success(let channel)): channel.close(promise: nil)
        case (_, .failure(let error)): report(.listenerFailed("\(error)"))
        }
    }
}

/// The two parts to which programs connect.
public enum ControlPart: CaseIterable, Sendable {
    case socket, http
}

/// Reports of the control interface for the log.
public enum ControlReport: Equatable, Sendable {
    /// A program of this user was rejected. Nil: the kernel did not report the user.
    case peerRefused(user: UInt32?)
    case tooManyConnections
    case slowReaderDropped
    case overlongLineDropped
    /// An HTTP request was rejected. In a flood, only the first are reported.
    case requestRefused(String, from: String)
    /// An address sent several wrong tokens and must now wait. Reported once.
    case guesserSlowed(String)
    /// A part could not be opened, and will be retried. Reported once for each reason.
    case notOpen(ControlPart, ControlError)
    /// A part that could not be opened before is open now.
    case opened(ControlPart)
    /// The socket accepts no connections, or no more. Open connections continue.
    case listenerFailed(String)
}

/// Counters of the control interface since its creation.
public struct ControlStatistics: Equatable, Sendable {
    public internal(set) var connections = 0
    public internal(set) var accepted = 0
    public internal(set) var peersRefused = 0
    public internal(set) var connectionsRefused = 0
    public internal(set) var slowReadersDropped = 0
    public internal(set) var overlongLines = 0
    /// Lines that were no valid request.
    public internal(set) var malformedLines = 0
    public internal(set) var requests = 0
    /// Requests without an answer yet.
    public internal(set) var requestsInFlight = 0
    public internal(set) var events = 0
    /// Signalling messages of the lines.
    public internal(set) var signals = 0
    public internal(set) var http = HTTPStatistics()

    init() {}

    var json: JSONValue {
        func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
        return .object([
            "connections": count(connections), "accepted": count(accepted), "peersRefused": count(peersRefused),
            "connectionsRefused": count(connectionsRefused), "slowReadersDropped": count(slowReadersDropped),
            "overlongLines": count(overlongLines), "malformedLines": count(malformedLines),
            "requests": count(requests), "requestsInFlight": count(requestsInFlight), "events": count(events),
            "signals": count(signals), "http": http.json,
        ])
    }
}
