import Base
import CallerInfoCore
import PhoneCore
import Platform
import Synchronization

/// The adapter for caller info: one MQTT connection to a broker, driven by its own thread.
///
/// The thread posts one message, and waits until the phone has dealt with it (`settle`). Only then is the message
/// acknowledged, so a crash in between makes the broker send it again.
public final class CallerInfoChannel: Sendable {
    public let settings: BrokerSettings
    let post: @Sendable (CallerInfoEvent) -> Void
    let report: @Sendable (CallerInfoReport) -> Void
    let wake = WakeSignal.atStart()
    let isClosed = Atomic(false)
    /// The thread is in the C library's name resolution, which nothing can interrupt.
    let isResolving = Atomic(false)
    /// The ticket of the last event that the phone has dealt with.
    private let settled = Atomic<UInt32>(0)
    /// Whether the network has changed since the thread looked last.
    let isStirred = Atomic(false)
    let state = Mutex(CallerInfoStatistics())
    private let thread = Mutex<NamedThread?>(nil)

    /// - Parameters:
    ///   - post: Called on the thread, with one event at a time. The receiver calls `settle` with its ticket.
    ///   - report: Called on the thread.
    public init(
        _ settings: BrokerSettings, post: @escaping @Sendable (CallerInfoEvent) -> Void,
        report: @escaping @Sendable (CallerInfoReport) -> Void
    ) {
        (self.settings, self.post, self.report) = (settings, post, report)
    }

    /// Starts the thread, which loads the library and connects.
    public func start() throws(SystemFailure) {
        let made = try NamedThread(.callerInfo) { [self] in ChannelLoop(self).run() }
        thread.withLock { $0 = made }
    }

    /// The phone has dealt with the event that has this ticket. Never blocks, from any thread.
    public func settle(_ ticket: UInt32) {
        settled.store(ticket, ordering: .releasing)
        wake.raise()
    }

    /// Connects at once if the thread waits between two attempts. Never blocks, from any thread.
    public func networkStirred() {
        isStirred.store(true, ordering: .releasing)
        wake.raise()
    }

    public var statistics: CallerInfoStatistics { state.withLock { $0 } }

    /// Says goodbye to the broker and ends the thread. A thread that waits for DNS ends with the process.
    /// - Returns: False if the thread hangs and the deadline has passed.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> Bool {
        isClosed.store(true, ordering: .releasing)
        wake.raise()
        let hasEnded = thread.withLock { $0.take() }?.join(by: deadline) ?? true
        return hasEnded || isResolving.load(ordering: .acquiring)
    }

    /// Waits on the thread until the phone has dealt with the event that has this ticket.
    /// - Returns: False if it has not by the deadline, or if the channel closes.
    func waitUntilSettled(_ ticket: UInt32, by deadline: Instant) -> Bool {
        while settled.load(ordering: .acquiring) != ticket {
            guard !isClosed.load(ordering: .acquiring), MonotonicClock.now() < deadline else { return false }
            wake.wait(until: deadline)
        }
        return true
    }
}

/// A report about the broker for the log.
public enum CallerInfoReport: Equatable, Sendable {
    /// libmosquitto cannot be loaded, for this reason.
    case cannotLoad(String)
    case connected(broker: String, BrokerRetry.Version)
    /// An attempt or a connection failed. It is reported again only when the reason changes.
    case failed(broker: String, why: String)
    /// The phone has not dealt with a message in time. The broker sends it again.
    case unsettled
    /// Messages were dropped since the last such report. The reason is that of the last one.
    case dropped(Int, why: String)

    public var isWarning: Bool { if case .connected = self { false } else { true } }

    public var sentence: String {
        switch self {
        case .cannotLoad(let why):
            "caller info cannot be received: \(why); install \(MosquittoLibrary.package) and restart the phone"
        case .connected(let broker, .v5): "connected to \(broker) by MQTT 5"
        case .connected(let broker, .v311): "connected to \(broker) by MQTT 3.1.1"
        case .failed(let broker, let why): "no caller info from \(broker): \(why); the phone retries"
        case .unsettled: "a message was not dealt with in time; the broker sends it again"
        case .dropped(1, let why): "a message was dropped: \(why)"
        case .dropped(let count, let why): "\(count) messages were dropped; the last one: \(why)"
        }
    }
}

/// Counts since the start.
public struct CallerInfoStatistics: Equatable, Sendable {
    /// Whether the phone is connected and subscribed.
    public var isConnected = false
    public var connections = 0
    /// Messages that the phone got.
    public var taken = 0
    public var dropped: [CallerInfoIntake.Drop: Int] = [:]
    /// Messages that the phone got and has not dealt with in time.
    public var unsettled = 0

    public init() {}
}

/// The thread of `CallerInfoChannel`: one connection after the other, with pauses that grow.
final class ChannelLoop {
    /// How long the phone may take to deal with a message: the deadline of an announcement.
    private static let settling = Duration.seconds(5)
    /// The shortest time between two attempts that changes of the network cause.
    private static let stirredPause = Duration.seconds(2)
    /// How often dropped messages are reported.
    private static let reportPause = Duration.seconds(10)

    private let channel: CallerInfoChannel
    private var intake: CallerInfoIntake
    private var retry = BrokerRetry()
    private var generator = SystemRandomNumberGenerator()
    /// The ticket of the last posted event. A full queue may drop an event, which then is never settled.
    private var ticket: UInt32 = 0
    /// The last reported failure since the last connection.
    private var failure: String?
    private var unreported = (count: 0, why: "", since: Instant?.none)

    init(_ channel: CallerInfoChannel) {
        self.channel = channel
        intake = CallerInfoIntake(topic: channel.settings.topic)
    }

    func run() {
        let library: MosquittoLibrary
        do throws(MosquittoLibrary.Missing) {
            library = try MosquittoLibrary()
        } catch {
            return channel.report(.cannotLoad(error.description))
        }
        while !isClosed {
            let failure = attempt(library)
            channel.state.withLock { $0.isConnected = false }
            guard !isClosed else { return }
            let pause = retry.failed(failure.kind, at: MonotonicClock.now(), random: generator.next())
            if pause > .zero, failure.why != self.failure {
                self.failure = failure.why
                channel.report(.failed(broker: channel.settings.broker, why: failure.why))
                // The backend has to repair the registration that it gave.
                if failure.kind == .refused { channel.post(.refused(failure.why)) }
            }
            rest(until: MonotonicClock.now() + pause)
        }
    }

    private var isClosed: Bool { channel.isClosed.load(ordering: .acquiring) }

    /// One connection, from its start to its end.
    private func attempt(_ library: MosquittoLibrary) -> BrokerConnection.Failure {
        do throws(BrokerConnection.Failure) {
            let connection = try BrokerConnection(library, channel.settings, version: retry.version)
            connection.take = { [unowned self] in take($0) }
            channel.isResolving.store(true, ordering: .releasing)
            defer { channel.isResolving.store(false, ordering: .releasing) }
            try connection.open()
            channel.isResolving.store(false, ordering: .releasing)
            try follow(connection)
        } catch {
            return error
        }
        return .init("the phone closed the connection")
    }

    /// - Returns: When the channel closes.
    private func follow(_ connection: BrokerConnection) throws(BrokerConnection.Failure) {
        var isKnown = false
        while !isClosed {
            try connection.turn(beside: channel.wake)
            if connection.isSubscribed, !isKnown {
                isKnown = true
                connected()
            }
            reportDrops(at: MonotonicClock.now())
        }
        connection.sayGoodbye()
    }

    private func connected() {
        retry.connected(at: MonotonicClock.now())
        failure = nil
        channel.state.withLock {
            $0.isConnected = true
            $0.connections += 1
        }
        channel.report(.connected(broker: channel.settings.broker, retry.version))
    }

    /// Waits between two attempts. A change of the network ends the wait, but not at once for every change.
    private func rest(until end: Instant) {
        let earliest = MonotonicClock.now() + Self.stirredPause
        channel.isStirred.store(false, ordering: .releasing)
        var end = end
        while !isClosed, MonotonicClock.now() < end {
            channel.wake.wait(until: end)
            if channel.isStirred.exchange(false, ordering: .acquiringAndReleasing) {
                end = min(end, max(earliest, MonotonicClock.now()))
                retry.forgetFailures()
            }
        }
    }

    // MARK: Messages

    /// Handles one message of the broker, inside libmosquitto's reading.
    /// - Returns: Whether it may be acknowledged.
    private func take(_ message: BrokerConnection.Message) -> Bool {
        guard !isClosed else { return false }
        let (time, now) = (RealTimeClock.now(), MonotonicClock.now())
        let verdict = intake.judge(
            message.payload, length: message.length, topic: message.topic, time: time, at: now)
        let isSettled: Bool
        switch verdict {
        case .drop(_, let why):
            unreported = (unreported.count + 1, why, unreported.since)
            reportDrops(at: now)
            isSettled = true
        case .take(let message):
            ticket &+= 1
            channel.post(message.event(ticket, time: time, at: now))
            isSettled = channel.waitUntilSettled(ticket, by: now + Self.settling)
            if !isSettled, !isClosed { channel.report(.unsettled) }
        }
        channel.state.withLock {
            ($0.taken, $0.dropped) = (intake.taken, intake.dropped)
            if !isSettled { $0.unsettled += 1 }
        }
        return isSettled
    }

    private func reportDrops(at now: Instant) {
        guard unreported.count > 0, unreported.since.map({ now - $0 >= Self.reportPause }) ?? true else { return }
        channel.report(.dropped(unreported.count, why: unreported.why))
        unreported = (0, "", now)
    }
}

extension CallerInfoMessage {
    /// - Parameters:
    ///   - time: This machine's time of day, in nanoseconds since 1970.
    ///   - now: The same moment on the monotonic clock.
    package func event(_ ticket: UInt32, time: Int64, at now: Instant) -> CallerInfoEvent {
        let age = max(.zero, Duration.nanoseconds(time - sent))
        let organisation = organisationID.map {
            Organisation(
                id: OrganisationID($0), name: organisationName ?? organisationSlug ?? $0, slug: organisationSlug)
        }
        let info = CallerInfo(
            ids: ids, number: callerNumber, name: callerName, avatar: callerAvatar, channel: channelNumber,
            organisation: organisation, ticket: ticket, sent: now - age)
        return switch kind {
        case .incomingCall: .incoming(info)
        case .callEnded: .ended(info)
        }
    }
}
