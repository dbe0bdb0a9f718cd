import Base
import PhoneCore

/// Connects programs with the phone: it knows every connection, passes on the requests, and returns the answers.
///
/// Confined to the control thread.
final class Exchange {
    /// A request that waits for its action to be settled.
    private struct Ticket {
        let connection: Connection
        let identifier: RPCCall.Identifier
        /// The part of a snapshot that the request asks for.
        let question: SnapshotQuestion
    }

    let settings: ControlSettings
    private(set) var statistics = ControlStatistics()

    private let post: @Sendable (ActionID, Request) -> Void
    private let extras: ControlExtras
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var tickets: [ActionID: Ticket] = [:]
    private var lastAction: UInt64 = 0
    private var naming = EventNaming()
    var signals = SignalDesk()

    init(
        _ settings: ControlSettings, post: @escaping @Sendable (ActionID, Request) -> Void, extras: ControlExtras
    ) {
        (self.settings, self.post, self.extras) = (settings, post, extras)
    }
}

// Connections open and close.
extension Exchange {
    /// - Returns: Why this connection is refused; nil when it is accepted.
    func admit(_ connection: Connection, _ peer: PeerCredentials?) -> RPCError? {
        guard let peer, peer.mayUse(settings) else {
            statistics.peersRefused += 1
            extras.report(.peerRefused(user: peer?.user))
            return .peerNotAllowed
        }
        guard connections.count < settings.maximumConnections else {
            statistics.connectionsRefused += 1
            extras.report(.tooManyConnections)
            return .tooManyConnections(settings.maximumConnections)
        }
        connections[ObjectIdentifier(connection)] = connection
        statistics.accepted += 1
        statistics.connections = connections.count
        return nil
    }

    /// Forgets the connection and the requests that it waits for.
    func leave(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        tickets = tickets.filter { $0.value.connection !== connection }
        signals.leave(connection)
        statistics.connections = connections.count
        statistics.requestsInFlight = tickets.count
    }

    func slowReaderDropped() {
        statistics.slowReadersDropped += 1
        extras.report(.slowReaderDropped)
    }

    /// An account's label, for people.
    func label(of account: AccountID) -> String? { extras.accounts[account] }

    func overlongLineDropped() {
        statistics.overlongLines += 1
        extras.report(.overlongLineDropped)
    }

    func closeAll() {
        for connection in connections.values { connection.close() }
    }
}

// Requests and their answers.
extension Exchange {
    func handle(line: [UInt8], from connection: Connection) {
        do throws(RPCCall.Invalid) {
            handle(try RPCCall(line: line), from: connection)
        } catch {
            statistics.malformedLines += 1
            connection.answer(.value(error.identifier), .failure(error.error))
        }
    }

    private func handle(_ call: RPCCall, from connection: Connection) {
        statistics.requests += 1
        do throws(RPCError) {
            if call.method == "getSignals" {
                try askForSignals(call, from: connection)
            } else if let result = try answer(call, from: connection) {
                connection.answer(call.identifier, .success(result))
            } else if let question = try SnapshotQuestion(method: call.method, call.params) {
                try ask(.status, question, call.identifier, from: connection)
            } else if let request = try Request(method: call.method, call.params, labels: extras.accounts) {
                try ask(request, .everything, call.identifier, from: connection)
            } else {
                throw .methodNotFound(call.method)
            }
        } catch {
            connection.answer(call.identifier, .failure(error))
        }
    }

    /// The answer to a method that does not need the phone; nil for any other method.
    private func answer(_ call: RPCCall, from connection: Connection) throws(RPCError) -> JSONValue? {
        switch call.method {
        case "subscribe":
            try call.params.allow()
            connection.subscribe()
            return [:]
        case "getStatistics":
            try call.params.allow()
            return .object(extras.statistics().merging(["control": statistics.json]) { $1 })
        default: return try extras.answer(call)
        }
    }

    private func ask(
        _ request: Request, _ question: SnapshotQuestion, _ identifier: RPCCall.Identifier,
        from connection: Connection
    ) throws(RPCError) {
        guard connection.requestsInFlight < settings.maximumRequestsInFlight else {
            throw .tooManyRequests(settings.maximumRequestsInFlight)
        }
        lastAction += 1
        let action = ActionID(.control, lastAction)
        tickets[action] = Ticket(connection: connection, identifier: identifier, question: question)
        connection.requestsInFlight += 1
        statistics.requestsInFlight = tickets.count
        post(action, request)
    }

    /// Answers the request that asked for this snapshot.
    func show(_ snapshot: PhoneSnapshot, for action: ActionID, at now: Instant) {
        guard let question = tickets[action]?.question else { return }
        settle(action, .success(question.answer(from: snapshot, at: now, labels: extras.accounts)))
    }

    /// Answers the request behind an action. There is no answer if its program has gone, or if it was not asked here.
    func settle(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        guard let ticket = tickets.removeValue(forKey: action) else { return }
        statistics.requestsInFlight = tickets.count
        ticket.connection.requestsInFlight -= 1
        ticket.connection.answer(ticket.identifier, result)
    }
}

// Events.
extension Exchange {
    func publish(_ notice: Notice, at now: Instant) {
        for (name, fields) in naming.events(for: notice) {
            publish(ControlEvent(name: name, at: now, fields: fields))
        }
    }

    /// - Parameter event: Made only if there is a subscriber.
    func publish(_ event: @autoclosure () -> ControlEvent) {
        statistics.events += 1
        let subscribers = connections.values.filter(\.isSubscribed)
        guard !subscribers.isEmpty else { return }
        let line = Connection.line(event().notification)
        for subscriber in subscribers { subscriber.send(line) }
    }

    func signalCounted() { statistics.signals += 1 }
}
