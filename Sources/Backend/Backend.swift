import BackendCore
import Base
import Cryptography
import HTTPClient
import NIOCore
import Platform

/// The adapter for the phone's backend: sends the requests of a `BackendMachine`, verifies signatures, and keeps its
/// timer.
///
/// Create it on one event loop, the control thread, and call every method there. It calls its closures there, too. The
/// machine has at most some ten requests open, so answers need no further limit.
public final class Backend: Sendable {
    /// State that only the loop uses.
    private struct Confined {
        var machine: BackendMachine
        /// Inputs that wait for the machine. The effects of one input may add more.
        var inputs: [BackendMachine.Event] = []
        var isRunning = false
        /// Requests that can still be cancelled.
        var tickets: [BackendRequestID: HTTPTicket] = [:]
        var timer: (due: Instant, scheduled: Scheduled<Void>)?
        var isClosed = false
    }

    private let client: HTTPClient
    private let loop: any EventLoop
    private let clocks: Clocks
    private let keep: @Sendable (BackendState) -> Void
    private let wipe: @Sendable () -> Void
    private let tell: @Sendable (BackendNotice) -> Void
    private let confined: NIOLoopBoundBox<Confined>

    /// The clocks of the machine, or those of a test.
    public struct Clocks: Sendable {
        let now: @Sendable () -> Instant
        /// Seconds since 1970.
        let time: @Sendable () -> Int64

        public init(now: @escaping @Sendable () -> Instant, time: @escaping @Sendable () -> Int64) {
            (self.now, self.time) = (now, time)
        }

        public static let real = Clocks(now: MonotonicClock.now) { RealTimeClock.now() / 1_000_000_000 }
    }

    /// - Parameters:
    ///   - client: Not shared with requests that take long, because at most four are under way at once.
    ///   - keep: Stores the state in the vault. It replaces the former one.
    ///   - wipe: Deletes every account and secret that came from the backend. `keep` follows with what stays.
    ///   - tell: Gets everything that the program needs to know.
    public init(
        _ settings: BackendSettings, client: HTTPClient, loop: any EventLoop, clocks: Clocks = .real,
        keep: @escaping @Sendable (BackendState) -> Void, wipe: @escaping @Sendable () -> Void,
        tell: @escaping @Sendable (BackendNotice) -> Void
    ) {
        (self.client, self.loop, self.clocks) = (client, loop, clocks)
        (self.keep, self.wipe, self.tell) = (keep, wipe, tell)
        let machine = BackendMachine(settings, seed: .random(in: .min ... .max))
        confined = .makeBoxSendingValue(Confined(machine: machine), eventLoop: loop)
    }

    // MARK: Commands

    /// Starts with what the vault has. Call it first, and once.
    /// - Parameter fresh: A new identifier for the phone, used if the vault has none.
    public func restore(_ state: BackendState?, fresh: String) { feed(.restore(state, fresh: fresh)) }

    public func signIn() { feed(.signIn) }
    public func cancelSignIn() { feed(.cancelSignIn) }
    public func signOut() { feed(.signOut) }
    public func listOrganisations() { feed(.listOrganisations) }

    /// - Parameter identifier: As a text. The backend gets it as a number if it gave a number.
    public func switchOrganisation(to identifier: String) { feed(.switchOrganisation(identifier)) }

    /// The phone works for its former organisation again, because the new account did not work.
    public func rolledBack(to identifier: String) { feed(.rolledBack(to: identifier)) }
    /// The phone's storage has the newest credentials of this organisation.
    public func credentialsKept(of identifier: String) { feed(.credentialsKept(of: identifier)) }

    public func renewCredentials() { feed(.renewCredentials) }

    /// The broker refused the login or the topic of the registration for caller info.
    public func reportVoidPush(_ reason: String) { feed(.pushRefused(reason)) }

    /// The machine's network has changed.
    public func networkStirred() {
        client.forgetConnections()
        feed(.networkStirred)
    }

    // MARK: State

    public var state: BackendState? { confined.value.machine.state }
    public var signInStatus: DeviceGrantStatus { confined.value.machine.signInStatus }
    /// The backend no longer accepts the phone.
    public var isSignInNeeded: Bool { confined.value.machine.isSignInNeeded }
    public var statistics: BackendStatistics { confined.value.machine.statistics }

    /// Ends all requests. No closure is called afterwards.
    public func close() {
        confined.value.isClosed = true
        confined.value.timer?.scheduled.cancel()
        confined.value.timer = nil
        for ticket in confined.value.tickets.values { client.cancel(ticket) }
        confined.value.tickets = [:]
    }

    // MARK: The machine

    private func feed(_ input: BackendMachine.Event) {
        guard !confined.value.isClosed else { return }
        confined.value.inputs.append(input)
        guard !confined.value.isRunning else { return }
        confined.value.isRunning = true
        while !confined.value.inputs.isEmpty {
            let input = confined.value.inputs.removeFirst()
            for effect in confined.value.machine.handle(input, at: clocks.now(), time: clocks.time()) {
                guard !confined.value.isClosed else { break }
                perform(effect)
            }
        }
        confined.value.isRunning = false
        armTimer()
    }

    private func perform(_ effect: BackendMachine.Effect) {
        switch effect {
        case .send(let id, let request): send(id, request)
        case .cancel(let id): if let ticket = confined.value.tickets.removeValue(forKey: id) { client.cancel(ticket) }
        case .verify(let id, let signature): feed(.verified(id, signature.isGenuine))
        case .keep(let state): keep(state)
        case .wipe: wipe()
        case .tell(let notice): tell(notice)
        }
    }

    private func send(_ id: BackendRequestID, _ request: BackendRequest) {
        // Every request ends, at its timeout at the latest, so none keeps this object for long.
        confined.value.tickets[id] = client.send(HTTPRequest(request)) { [self] result in
            loop.execute { [self] in finished(id, result) }
        }
    }

    private func finished(_ id: BackendRequestID, _ result: Result<HTTPResponse, HTTPFailure>) {
        // A cancelled request has no ticket any more.
        guard confined.value.tickets.removeValue(forKey: id) != nil else { return }
        switch result {
        case .success(let response): feed(.answered(id, BackendResponse(response)))
        case .failure(let failure): feed(.failed(id, BackendTransportFailure(failure)))
        }
    }

    private func armTimer() {
        let due = confined.value.isClosed ? nil : confined.value.machine.deadline
        guard due != confined.value.timer?.due else { return }
        confined.value.timer?.scheduled.cancel()
        confined.value.timer = due.map { due in
            let delay = max(0, (due - clocks.now()).nanoseconds)
            let task = loop.scheduleTask(in: .nanoseconds(delay)) { [weak self] in
                self?.confined.value.timer = nil
                self?.feed(.deadline)
            }
            return (due, task)
        }
    }
}

extension HTTPRequest {
    init(_ request: BackendRequest) {
        let method: Method =
            switch request.method {
            case .get: .get
            case .post: .post
            case .delete: .delete
            }
        self.init(
            method, request.url, headers: [Header("Accept", "application/json")], bearer: request.bearer,
            body: request.body.bytes?.reveal(), contentType: request.body.contentType, timeout: request.timeout,
            etag: request.etag, isRepeatable: request.isRepeatable)
    }
}

extension BackendResponse {
    init(_ response: HTTPResponse) {
        self.init(
            status: response.status, body: response.body, etag: response.etag, retryAfter: response.retryAfter)
    }
}

extension BackendTransportFailure {
    init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .timeout: .timeout
            case .tooLarge: .unreadable(.tooLong)
            case .malformed: .unreadable(.notHTTP)
            case .unavailable, .network, .resolve, .tls, .redirect, .cancelled, .overloaded:
                .network(failure.description)
            }
    }
}

extension BackendSignature {
    /// One public-key operation, bounded by the largest key (`SignatureKey`).
    var isGenuine: Bool {
        switch (algorithm, key) {
        case (.rs256, .rsa(let modulus, let exponent)):
            SignatureKey.rsa(modulus: modulus, exponent: exponent).verifies(signature, of: signed)
        case (.es256, .p256(let x, let y)): SignatureKey.p256(x: x, y: y).verifies(signature, of: signed)
        case (.rs256, .p256), (.es256, .rsa): false
        }
    }
}
