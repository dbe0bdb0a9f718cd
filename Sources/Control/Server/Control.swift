import Base
import JSON
import NIOCore
import NIOPosix
import PhoneCore
import Platform
import Turns

/// The interface for other programs: JSON-RPC 2.0, one message a line, on a Unix socket of this machine, and over HTTP
/// where that is configured.
///
/// Runs on the event loop that it is given, the control thread: `start`, `perform`, `publish`, `statistics` and `close`
/// are called there, and none of them blocks. No program that connects can break a call: everything it can use up
/// has a limit, and one that reads too slowly is dropped.
public final class Control: Sendable {
    /// What could not be opened, and when it is tried again.
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
    /// What the loop may do in one turn for all programs at the socket.
    private let budget: NIOLoopBoundBox<TurnBudget>
    /// Nil while HTTP is not open.
    private let http: NIOLoopBoundBox<HTTPDoor?>
    private let retries: NIOLoopBoundBox<Retries>

    /// - Parameters:
    ///   - loop: An event loop of NIOPosix.
    ///   - post: Hands a request to the phone, which settles its action exactly once. Called on the loop.
    public init(
        _ settings: ControlSettings, loop: any EventLoop, post: @escaping @Sendable (ActionID, Request) -> Void,
        extras: ControlExtras
    ) {
        (self.settings, self.loop, report) = (settings, loop, extras.report)
        exchange = .makeBoxSendingValue(Exchange(settings, post: post, extras: extras), eventLoop: loop)
        door = .makeBoxSendingValue(.shut, eventLoop: loop)
        budget = .makeBoxSendingValue(TurnBudget(loop: loop), eventLoop: loop)
        http = .makeBoxSendingValue(nil, eventLoop: loop)
        retries = .makeBoxSendingValue(Retries(), eventLoop: loop)
    }

    private static let retry = TimeAmount.seconds(3)

    /// Opens the socket, and the port of HTTP. When this returns, programs can connect.
    ///
    /// No call needs them: what cannot be opened is reported, and tried again every few seconds until `close`.
    /// - Precondition: not started yet, or closed.
    public func start() {
        guard case .shut = door.value else { preconditionFailure("the control interface is started once") }
        // `close` has ended the one of a former run.
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
            // A program that closes only its sending half, as `socat` does, still gets its answers.
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

    /// Serves HTTP on a connection that another one has opened.
    package func serve(_ channel: any Channel) throws {
        guard let settings = settings.http else { preconditionFailure("HTTP is not configured") }
        let door = try http.value ?? HTTPDoor(settings, exchange.value, loop: loop)
        http.value = door
        try door.furnish(channel)
    }

    /// Serves a program of the phone's own user on a connection that another one has opened.
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

    /// The port of HTTP, once started; nil: there is none.
    public var httpPort: UInt16? { http.value?.port }

    /// Answers a program's request, or tells all subscribers what happened.
    public func perform(_ effect: ControlEffect) {
        switch effect {
        case .settled(let action, .fulfilled): exchange.value.finish(action, .success([:]))
        case .settled(let action, .failed(let why)): exchange.value.finish(action, .failure(.failed(why)))
        case .snapshot(let action, let snapshot): exchange.value.show(snapshot, for: action, at: MonotonicClock.now())
        case .notice(let notice): exchange.value.publish(notice, at: MonotonicClock.now())
        }
    }

    /// Answers what a program asked of the vault.
    public func answer(_ action: ActionID, _ answer: VaultAnswer) { exchange.value.settle(action, answer) }

    /// Answers what a program asked of who sets the phone up.
    public func answer(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        exchange.value.settle(action, result)
    }

    /// Tells all subscribers of something that is no notice of the machine, such as a change of a simulated panel's
    /// line.
    /// - Parameters:
    ///   - fields: Anything but `name` and `at`; no secrets. Made only if there is a subscriber.
    ///   - at: When it happened, on CLOCK_MONOTONIC; nil is now.
    public func publish(
        _ name: EventName, _ fields: @autoclosure () -> [String: JSONValue] = [:], at instant: Instant? = nil
    ) {
        exchange.value.publish(ControlEvent(name: name.rawValue, at: instant ?? MonotonicClock.now(), fields: fields()))
    }

    /// Keeps a line's signalling message for programs that ask with `getSignals`, now or later.
    public func publish(_ signal: ControlSignal) { exchange.value.publish(signal) }

    public var statistics: ControlStatistics { exchange.value.statistics }

    /// What was done in turns of the loop, for each kind of connection.
    public var turns: [String: TurnBudget.Statistics] {
        var turns = ["controlSocket": budget.value.statistics]
        turns["http"] = http.value?.budget.statistics
        return turns
    }

    /// Closes the socket and every connection, and removes the socket's file. Actions that are settled later are
    /// answered to no program.
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
        // The interface was closed before it was open.
        case (.shut, .success(let channel)), (.open, .success(let channel)): channel.close(promise: nil)
        case (_, .failure(let error)): report(.listenerFailed("\(error)"))
        }
    }
}
