import CallerInfo
import CallerInfoCore
import Logging
import Monitoring
import PhoneCore

extension Phone {
    /// The channel to the broker, if one is configured.
    static func callerInfo(_ settings: Settings, _ loop: PhoneLoop, _ log: Logger) -> CallerInfoChannel? {
        settings.broker.map { broker in
            CallerInfoChannel(
                broker, post: { loop.post(.callerInfo($0)) },
                report: { log.log(level: $0.isWarning ? .warning : .info, "caller info: \($0.sentence)") })
        }
    }

    /// Starts the channel. A phone without it still has calls, so a failure is only logged.
    static func start(_ callerInfo: CallerInfoChannel?, _ log: Logger) {
        do {
            try callerInfo?.start()
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
