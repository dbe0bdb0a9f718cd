import Base
import CallerInfo
import CallerInfoCore
import Logging
import Monitoring
import PhoneCore
import Platform
import Synchronization

/// The channel of caller info. Configuration and backend may name another broker while the phone runs; that of the
/// configuration comes first. Any thread may use it.
final class CallerInfoSlot: Sendable {
    private struct State {
        var channel: CallerInfoChannel?
        /// The broker of the configuration.
        var configured: BrokerSettings?
        /// The broker of the registration that the backend gave.
        var registered: BrokerSettings?
        var isStarted = false

        var broker: BrokerSettings? { configured ?? registered }
    }

    private let state: Mutex<State>
    private let make: @Sendable (BrokerSettings) -> CallerInfoChannel
    private let log: Logger

    /// - Parameter broker: The broker of the configuration; nil: none.
    init(_ broker: BrokerSettings?, _ loop: PhoneLoop, _ log: Logger) {
        self.log = log
        make = { broker in
            CallerInfoChannel(
                broker, post: { loop.post(.callerInfo($0)) },
                report: { log.log(level: $0.isWarning ? .warning : .info, "caller info: \($0.sentence)") })
        }
        state = Mutex(State(channel: broker.map(make), configured: broker))
    }

    /// Connects. A phone without caller info still has calls, so a failure is only logged.
    func start() {
        let channel = state.withLock { state in
            state.isStarted = true
            return state.channel
        }
        start(channel)
    }

    /// Whether the channel uses the broker of the backend's registration.
    var isOfBackend: Bool { state.withLock { $0.configured == nil } }

    /// Takes the broker of the configuration; nil: it names none.
    func configure(_ broker: BrokerSettings?) { change { $0.configured = broker } }

    /// Takes the broker of the backend's registration; nil: there is none.
    func register(_ broker: BrokerSettings?) { change { $0.registered = broker } }

    /// Connects to another broker, or to none.
    private func change(_ edit: (inout State) -> Void) {
        let (old, new) = state.withLock { state -> (CallerInfoChannel?, CallerInfoChannel?) in
            let former = state.broker
            edit(&state)
            guard state.broker != former else { return (nil, nil) }
            let old = state.channel
            state.channel = state.broker.map(make)
            return (old, state.isStarted ? state.channel : nil)
        }
        // It says goodbye on its own thread.
        old?.close(by: MonotonicClock.now())
        start(new)
    }

    func settle(_ ticket: UInt32) { state.withLock { $0.channel }?.settle(ticket) }

    func networkStirred() { state.withLock { $0.channel }?.networkStirred() }

    /// Nil: the phone has no broker.
    var statistics: CallerInfoStatistics? { state.withLock { $0.channel }?.statistics }

    func close(by deadline: Instant) -> Bool { state.withLock { $0.channel }?.close(by: deadline) ?? true }

    private func start(_ channel: CallerInfoChannel?) {
        do {
            try channel?.start()
        } catch {
            log.warning("caller info: \(error)")
        }
    }
}

extension MetricPage {
    mutating func add(_ info: CallerInfoStatistics) {
        add(.callerInfoConnected, info.isConnected ? 1 : 0)
        add(.callerInfoConnections, info.connections)
        add(.callerInfoMessages, info.taken - info.unsettled, "taken")
        add(.callerInfoMessages, info.unsettled, "unsettled")
        for reason in CallerInfoIntake.Drop.allCases {
            add(.callerInfoMessages, info.dropped[reason] ?? 0, reason.rawValue)
        }
    }
}
