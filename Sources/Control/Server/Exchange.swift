import Base
import JSON
import PhoneCore
import Platform

/// Connects programs with the phone: keeps all connections, passes on requests, and returns answers.
///
/// Confined to the control thread.
final class Exchange {
    /// A request that waits until its action is settled.
    private struct Ticket {
        let asker: Asker
        /// The part of a snapshot that answers the request.
        let question: SnapshotQuestion
    }

    let settings: ControlSettings
    var statistics = ControlStatistics()

    let post: @Sendable (ActionID, Request) -> Void
    private(set) var host: ControlHost
    private var peers: [ObjectIdentifier: any Peer] = [:]
    /// Several requests may wait for one action: see `RepeatedRequests`.
    private var tickets: [ActionID: [Ticket]] = [:] {
        didSet { statistics.requestsInFlight = tickets.values.reduce(0) { $0 + $1.count } }
    }
    /// The answers to waiting requests that are known before their actions are settled.
    private var answers: [ActionID: JSONValue] = [:]
    /// Unanswered setup requests.
    var setups: [ActionID: SetupStage] = [:]
    private var repeated = RepeatedRequests()
    private var lastAction: UInt64 = 0
    private var naming: EventNaming
    var signals = SignalQueries()
    /// Nil without HTTP, because then there are no streams to resume.
    private(set) var ring: EventRing?
    private(set) var tokens = BearerTokens()
    /// Called after tokens were added or removed.
    var tokensChanged: () -> Void = {}

    init(
        _ settings: ControlSettings, post: @escaping @Sendable (ActionID, Request) -> Void, host: ControlHost
    ) {
        (self.settings, self.post, self.host) = (settings, post, host)
        naming = EventNaming(qrCode: host.qrCode)
        ring = settings.http.map { _ in EventRing() }
    }
}

extension Exchange {
    /// From now on `getPanel` answers with this description.
    func describe(_ board: PanelDescription) { host.board = board }
}

// Connections open and close.
extension Exchange {
    /// - Returns: The reason for a rejection; nil if the connection is accepted.
    func admit(_ connection: Connection, _ peer: PeerCredentials?) -> RPCError? {
        guard let peer, peer.mayUse(settings) else {
            statistics.peersRefused += 1
            host.report(.peerRefused(user: peer?.user))
            return .peerNotAllowed
        }
        guard statistics.connections < settings.maximumConnections else {
            statistics.connectionsRefused += 1
            host.report(.tooManyConnections)
            return .tooManyConnections(settings.maximumConnections)
        }
        join(connection)
        statistics.accepted += 1
        statistics.connections += 1
        return nil
    }

    /// Ignores a connection that was rejected.
    func leave(_ connection: Connection) {
        if forget(connection) { statistics.connections -= 1 }
    }

    func join(_ peer: any Peer) { peers[ObjectIdentifier(peer)] = peer }

    /// Forgets a peer and its waiting requests.
    /// - Returns: Whether it was known.
    @discardableResult
    func forget(_ peer: any Peer) -> Bool {
        guard peers.removeValue(forKey: ObjectIdentifier(peer)) != nil else { return false }
        if peer.requestsInFlight > 0 {
            let left = tickets.mapValues { $0.filter { $0.asker.peer !== peer } }.filter { !$0.value.isEmpty }
            stopSetups(tickets.keys.filter { left[$0] == nil })
            tickets = left
            signals.leave(peer)
        }
        return true
    }

    func slowReaderDropped() {
        statistics.slowReadersDropped += 1
        host.report(.slowReaderDropped)
    }

    /// An account's label, for people.
    func label(of account: AccountID) -> String? { host.accounts()[account] }

    func overlongLineDropped() {
        statistics.overlongLines += 1
        host.report(.overlongLineDropped)
    }

    func closeAll() {
        for peer in peers.values { peer.close() }
    }
}

// Requests and their answers.
extension Exchange {
    /// - Parameter message: A request or a batch, as JSON.
    func handle(_ message: [UInt8], from peer: any Peer) {
        do throws(RPCCall.Invalid) {
            switch try RPCMessage(line: message) {
            case .call(let call):
                handle(call, from: Asker(peer: peer, identifier: call.identifier, batch: nil))
            case .batch(let calls):
                let batch = BatchAnswer(count: calls.count)
                for call in calls { handle(call, of: batch, from: peer) }
            }
        } catch {
            refuse(error, from: Asker(peer: peer, identifier: error.identifier, batch: nil))
        }
    }

    private func handle(
        _ call: Result<RPCCall, RPCCall.Invalid>, of batch: BatchAnswer, from peer: any Peer
    ) {
        switch call {
        case .success(let call):
            handle(call, from: Asker(peer: peer, identifier: call.identifier, batch: batch))
        case .failure(let error):
            refuse(error, from: Asker(peer: peer, identifier: error.identifier, batch: batch))
        }
    }

    private func refuse(_ error: RPCCall.Invalid, from asker: Asker) {
        statistics.malformedLines += 1
        asker.answer(.failure(error.error))
    }

    private func handle(_ call: RPCCall, from asker: Asker) {
        statistics.requests += 1
        do throws(RPCError) {
            guard let method = MethodName(rawValue: call.method) else { throw .methodNotFound(call.method) }
            let reference = method.reference
            guard reference.scope <= asker.peer.scope else { throw .scopeTooSmall(reference.scope) }
            try call.params.allow(reference.parameters)
            var params = call.params
            params.labels = host.accounts()
            switch reference.handler {
            case .phone(let request):
                try ask(
                    request(params), key: params.optionalText("key", limit: RepeatedRequests.longestKey), from: asker)
            case .snapshot(let question): try ask(.status, question(params), from: asker)
            case .vault(let question):
                let question = try question(params)
                guard let askVault = host.askVault else { throw .hasNoVault }
                askVault(try ticket(for: asker, .everything), question)
            case .setup(let request): try askForSetup(request(params), from: asker)
            case .program: try answer(method, params, to: asker)
            }
        } catch {
            asker.answer(.failure(error))
        }
    }

    /// Answers a method that needs neither the phone nor the vault.
    private func answer(_ method: MethodName, _ params: RPCParams, to asker: Asker) throws(RPCError) {
        switch method {
        case .getSignals: return try askForSignals(params, from: asker)
        case .subscribe:
            try asker.peer.subscribe()
            asker.answer(.success([:]))
            asker.peer.tell(PublishedEvent(clientReady, identifier: nil))
        case .cancel:
            try cancel(try params.identifier("id"), of: asker.peer)
            asker.answer(.success([:]))
        case .getStatistics:
            asker.answer(.success(.object(host.statistics().merging(["control": statistics.json]) { $1 })))
        // This is by far the longest answer. A batch of them would hold up the loop.
        case .discover where asker.batch != nil: throw .invalidParams("rpc.discover is not allowed in a batch")
        default:
            guard let result = try host.answer(method, params) else { throw .methodNotFound(method.rawValue) }
            asker.answer(.success(result))
        }
    }

    /// Asks the phone, unless a request with the same key has already done so.
    private func ask(_ request: Request, key: String?, from asker: Asker) throws(RPCError) {
        guard let key else { return try ask(request, .everything, from: asker) }
        switch repeated.find(key, request) {
        case .new:
            try ask(request, .everything, from: asker)
            repeated.begin(key, request, as: ActionID(.control, lastAction))
        case .pending(let action):
            try admitRequest(of: asker)
            tickets[action, default: []].append(Ticket(asker: asker, question: .everything))
        case .settled(let result): asker.answer(result)
        case .different: throw .invalidParams("key belongs to a different request; use a new one")
        }
    }

    private func ask(_ request: Request, _ question: SnapshotQuestion, from asker: Asker) throws(RPCError) {
        post(try ticket(for: asker, question), request)
    }

    /// A new action, on which this client's answer depends.
    func ticket(for asker: Asker, _ question: SnapshotQuestion) throws(RPCError) -> ActionID {
        try admitRequest(of: asker)
        lastAction += 1
        let action = ActionID(.control, lastAction)
        tickets[action] = [Ticket(asker: asker, question: question)]
        return action
    }

    private func admitRequest(of asker: Asker) throws(RPCError) {
        guard asker.peer.requestsInFlight < settings.maximumRequestsInFlight else {
            throw .tooManyRequests(settings.maximumRequestsInFlight)
        }
        asker.peer.requestsInFlight += 1
    }

    /// Cancels a waiting request of a client. Its action continues; a trial ends.
    private func cancel(_ identifier: JSONValue, of peer: any Peer) throws(RPCError) {
        func isMeant(_ asker: Asker) -> Bool {
            asker.peer.owner == peer.owner && asker.identifier == .value(identifier)
        }
        let asker: Asker
        if let action = tickets.first(where: { $0.value.contains { isMeant($0.asker) } })?.key,
            let index = tickets[action]?.firstIndex(where: { isMeant($0.asker) }),
            let ticket = tickets[action]?.remove(at: index)
        {
            asker = ticket.asker
            if tickets[action]?.isEmpty == true { stopSetups([action]) }
        } else if let waiting = signals.cancel(isMeant) {
            asker = waiting
        } else {
            throw .noSuchRequest
        }
        asker.peer.requestsInFlight -= 1
        asker.answer(.failure(.cancelled))
    }

    /// Answers the requests for this snapshot.
    func show(_ snapshot: PhoneSnapshot, for action: ActionID, at now: Instant) {
        if beginSetup(action, with: snapshot) { return }
        let faults = host.faults()
        var snapshot = snapshot
        snapshot.display?.notes += faults.map(\.note)
        var shared = snapshot
        // Clients with the scope `observe` must not see what is being dialled, nor the code of a sign-in.
        if !shared.digits.isEmpty { shared.display?.title = "" }
        shared.digits = ""
        shared.hideSignInCode()
        let (whole, reduced) = (snapshot, shared)
        settle(action) { ticket in
            let told = ticket.asker.peer.scope >= .call ? whole : reduced
            return ticket.question.answer(from: told, at: now, self.host, faults)
        }
    }

    /// Remembers the code as the answer to the request for it.
    func note(_ code: SignInCode, of action: ActionID) {
        note(code.members(at: MonotonicClock.now(), host.qrCode), of: action)
    }

    /// Remembers the answer to an action. Every action is settled, so this is forgotten.
    func note(_ answer: JSONValue, of action: ActionID) { answers[action] = answer }

    /// Answers the requests that wait for an action. Does nothing if their clients are gone, or if the action came from
    /// elsewhere.
    func settle(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        let answer = answers.removeValue(forKey: action)
        let result = answer.map { answer in result.map { _ in answer } } ?? result
        repeated.settle(action, result)
        for ticket in take(action) { ticket.asker.answer(result) }
    }

    /// Fetches the tokens from the vault. Until it answers, HTTP serves nobody.
    func fetchTokens() {
        if host.askVault == nil { tokens.all = [] }
        lastAction += 1
        host.askVault?(ActionID(.control, lastAction), .tokens)
    }

    func settle(_ action: ActionID, _ answer: VaultAnswer) {
        if case .tokens(let all, _) = answer {
            tokens.all = all
            tokensChanged()
        }
        settle(action, answer.result(labels: host.accounts()))
    }

    private func settle(_ action: ActionID, _ answer: (Ticket) -> JSONValue) {
        for ticket in take(action) { ticket.asker.answer(.success(answer(ticket))) }
    }

    private func take(_ action: ActionID) -> [Ticket] {
        setups[action] = nil
        let taken = tickets.removeValue(forKey: action) ?? []
        for ticket in taken { ticket.asker.peer.requestsInFlight -= 1 }
        return taken
    }
}

// Events.
extension Exchange {
    func publish(_ notice: Notice, at now: Instant) {
        for (name, fields) in naming.events(for: notice) {
            publish(ControlEvent(name: name.rawValue, at: now, fields: fields))
        }
    }

    /// - Parameter event: Evaluated only if there is a subscriber, or a stream that may be resumed.
    func publish(_ event: @autoclosure () -> ControlEvent) {
        statistics.events += 1
        let subscribers = peers.values.filter(\.isSubscribed)
        guard !subscribers.isEmpty || ring != nil || host.takeEvent != nil else { return }
        let event = event()
        host.takeEvent?(event)
        let published = PublishedEvent(event, identifier: ring?.next)
        ring?.append(published)
        for subscriber in subscribers { subscriber.tell(published) }
    }

    var clientReady: ControlEvent {
        ControlEvent(
            name: EventName.clientReady.rawValue, at: MonotonicClock.now(), fields: ["version": .string(host.version)]
        )
    }

    func signalCounted() { statistics.signals += 1 }
}
