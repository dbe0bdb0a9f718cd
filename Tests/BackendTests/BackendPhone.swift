import Backend
import BackendCore
import Base
import Bench
import HTTPClient
import NIOCore
import NIOPosix
import Platform
import Rig
import Synchronization

/// The adapter on a separate event loop, and its notices.
final class BackendPhone: Sendable {
    struct Silence: Error, CustomStringConvertible { let description: String }

    private struct Record {
        var notices: [BackendNotice] = []
        var kept: BackendState?
        var wipes = 0
        /// By how much this phone's clocks are ahead.
        var lead = Duration.zero
        var clockError = Duration.zero
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let client: HTTPClient
    private let record: RecordBox
    private let backend: NIOLoopBound<Backend>

    private final class RecordBox: Sendable { let value = Mutex(Record()) }

    init(_ server: BackendServer, state: BackendState? = nil, change: (inout BackendSettings) -> Void = { _ in }) throws
    {
        let record = RecordBox()
        var settings = BackendSettings(base: try BackendURL(server.url))
        change(&settings)
        loop = group.next()
        client = HTTPClient(settings: HTTPClientSettings(authorities: server.authority))
        self.record = record
        let clocks = Backend.Clocks(
            now: { MonotonicClock.now() + record.value.withLock { $0.lead } },
            time: { (RealTimeClock.now() + record.value.withLock { $0.clockError }.nanoseconds) / 1_000_000_000 })
        backend = try loop.submit { [settings, client, loop] in
            let backend = Backend(
                settings, client: client, loop: loop, clocks: clocks,
                keep: { state in record.value.withLock { $0.kept = state } },
                wipe: { record.value.withLock { $0.wipes += 1 } },
                tell: { notice in record.value.withLock { $0.notices.append(notice) } })
            return NIOLoopBound(backend, eventLoop: loop)
        }.wait()
        perform { $0.restore(state, fresh: "urn:uuid:6b0c2b6e-0000-4000-8000-000000000003") }
    }

    deinit {
        perform { $0.close() }
        client.close()
        try? group.syncShutdownGracefully()
    }

    func perform(_ body: @escaping @Sendable (Backend) -> Void) {
        let backend = backend
        try? loop.submit { body(backend.value) }.wait()
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Backend) -> Value) throws -> Value {
        let backend = backend
        return try loop.submit { body(backend.value) }.wait()
    }

    var notices: [BackendNotice] { record.value.withLock { $0.notices } }
    var kept: BackendState? { record.value.withLock { $0.kept } }
    var wipes: Int { record.value.withLock { $0.wipes } }

    func forget() { record.value.withLock { $0.notices = [] } }

    /// Sets both clocks forward; what is due then happens with the next event.
    func leap(_ duration: Duration) { record.value.withLock { $0.lead = $0.lead + duration } }

    func setClockError(_ error: Duration) { record.value.withLock { $0.clockError = error } }

    /// Waits for a notice of this kind.
    @discardableResult
    func wait<Value>(
        upTo limit: Duration = .seconds(12), for wanted: String, _ match: (BackendNotice) -> Value?
    ) throws -> Value {
        let end = MonotonicTime.now + limit
        repeat {
            if let found = notices.lazy.compactMap(match).first { return found }
            MonotonicTime.sleep(.milliseconds(2))
        } while MonotonicTime.now < end
        throw Silence(description: "no \(wanted) in \(limit), but \(notices)")
    }

    func waitUntilKept(upTo limit: Duration = .seconds(5), _ isRight: (BackendState) -> Bool) throws {
        let end = MonotonicTime.now + limit
        while !(kept.map(isRight) ?? false) {
            guard MonotonicTime.now < end else { throw Silence(description: "the state is \(kept as Any)") }
            MonotonicTime.sleep(.milliseconds(2))
        }
    }

    // MARK: Whole steps

    /// Signs in, with this user's approval.
    @discardableResult
    func signIn(at server: BackendServer, as user: String = "ada") throws -> BackendSignIn {
        try beginSignIn()
        try server.order(["do": "approve", "user": .string(user)])
        return try wait(for: "sign-in") { if case .signedIn(let signIn) = $0 { signIn } else { nil } }
    }

    @discardableResult
    func beginSignIn() throws -> DeviceCode {
        forget()
        perform { $0.signIn() }
        return try wait(for: "code") { if case .signInCode(let code) = $0 { code } else { nil } }
    }

    func signInFailure() throws -> DeviceGrantFailure {
        try wait(for: "failure") { if case .signInFailed(let failure) = $0 { failure } else { nil } }
    }

    /// Switches, and returns the credentials or the failure.
    func switchOrganisation(to target: String) throws -> Result<BackendCredentials, BackendFailure> {
        forget()
        perform { $0.switchOrganisation(to: target) }
        return try wait(for: "end of the switch") {
            switch $0 {
            case .switched(let credentials, target): .success(credentials)
            case .switchFailed(let failure, target): .failure(failure)
            default: nil
            }
        }
    }
}
