import Base
import Glibc
import LineCore
import Lines
import NIOCore
import SIPCore
import Synchronization
import Trace

/// A real line on loopback, with its reports.
final class Phone: Sendable {
    static let account = AccountID.direct

    let loop: any EventLoop
    let lines: Lines
    private let events: AsyncStream<LineEvent>
    private let ends: AsyncStream<Void>
    let summaries = Summaries()
    /// Its reports for people.
    let reports = Summaries()
    private let learned = Learned()

    convenience init(
        _ user: String, on loop: any EventLoop, accepts: LineConfiguration.Accepts = .anyone, port: UInt16 = 0,
        account: LineConfiguration.Account? = nil, _ change: (inout LineSettings) -> Void = { _ in },
        slept: @escaping @Sendable () -> Duration = SleepClock.slept
    ) async throws {
        var settings = LineSettings(
            configuration: LineConfiguration(user: user, account: account, accepts: accepts),
            addresses: ["127.0.0.1"], port: port)
        change(&settings)
        try await self.init([Self.account: settings], on: loop, slept: slept)
    }

    init(
        _ settings: [AccountID: LineSettings], on loop: any EventLoop,
        slept: @escaping @Sendable () -> Duration = SleepClock.slept
    ) async throws {
        self.loop = loop
        let (events, told) = AsyncStream.makeStream(of: LineEvent.self)
        self.events = events
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        self.ends = ends
        let (summaries, reports, learned) = (summaries, reports, learned)
        lines = try await loop.submit {
            Lines(
                settings.named, loop: loop, slept: slept, post: { told.yield($0) },
                trace: { summaries.append($1.direction.rawValue + " " + SignalReading($1.masked).summary) },
                report: { reports.append($1) },
                trust: { _, news in
                    switch news {
                    case .learned(let trust): learned.set(trust)
                    case .refused(let breach): reports.append(breach.sentence)
                    }
                }, finished: { end.yield() })
        }.get()
    }

    /// The line's learned facts about its account's server.
    var trust: LineTrust { learned.trust }

    func start() async throws {
        try await loop.submit { [lines] in try lines.start() }.get()
    }

    func perform(_ command: LineCommand) async throws {
        try await loop.submit { [lines] in lines.perform(command) }.get()
    }

    func close() async throws { try await loop.submit { [lines] in lines.close() }.get() }

    /// Waits until every line has unregistered.
    func finished() async throws {
        for await _ in ends { return }
        throw CancellationError()
    }

    func port() async throws -> Int {
        try await loop.submit { [lines] in Int(lines.port(of: Self.account) ?? 0) }.get()
    }

    func securePort() async throws -> Int {
        try await loop.submit { [lines] in Int(lines.securePort(of: Self.account) ?? 0) }.get()
    }

    /// Whether another socket can have the phone's port for datagrams.
    func leavesDatagrams() async throws -> Bool {
        try await loop.submit { [lines] in
            do throws(SystemSocket.Failure) {
                Glibc.close(
                    try SystemSocket.bound(.datagram, host: "127.0.0.1", port: lines.port(of: Self.account) ?? 0))
                return true
            } catch {
                return false
            }
        }.get()
    }

    /// Waits until an account reports this state.
    func registration(of account: AccountID = Phone.account, _ state: RegistrationState) async throws {
        _ = try await first { $0 == .registration(account, state) ? true : nil }
    }

    /// The next reported failure.
    func failure() async throws -> String {
        try await first { if case .registration(_, .failed(let why)) = $0 { why } else { nil } }
    }

    func counters() async throws -> LineCounters {
        try await loop.submit { [lines] in lines.counters(of: Self.account) ?? LineCounters() }.get()
    }

    /// Waits for the event that gives a value; earlier ones are skipped.
    func first<Value: Sendable>(_ match: (LineEvent) -> Value?) async throws -> Value {
        for await event in events {
            if let value = match(event) { return value }
        }
        throw CancellationError()
    }

    /// The reports of calls until one has ended.
    func untilEnded() async throws -> [LineEvent] {
        var told: [LineEvent] = []
        for await event in events {
            switch event {
            // It is for the next process, and not a report of this one's calls.
            case .memo: continue
            case .ended: return told + [event]
            default: told.append(event)
            }
        }
        throw CancellationError()
    }

    func offered() async throws -> CallID {
        try await first { if case .offered(let call, _) = $0 { call } else { nil } }
    }

    func answered() async throws -> NegotiatedMedia {
        try await first { if case .answered(_, let plan) = $0 { plan } else { nil } }
    }

    func ended() async throws -> EndReason {
        try await first { if case .ended(_, let reason) = $0 { reason } else { nil } }
    }
}

/// A line's last learned facts, from its loop to the test.
private final class Learned: Sendable {
    private let last = Mutex(LineTrust())

    func set(_ trust: LineTrust) { last.withLock { $0 = trust } }

    var trust: LineTrust { last.withLock { $0 } }
}

/// A line's reported texts, from its loop to the test.
final class Summaries: Sendable {
    private let all = Mutex<[String]>([])

    func append(_ summary: String) { all.withLock { $0.append(summary) } }

    var texts: [String] { all.withLock { $0 } }
}

extension [AccountID: LineSettings] {
    /// Each line configured for the account of its key.
    var named: Self {
        var named = self
        for account in keys { named[account]?.configuration.id = account }
        return named
    }
}
