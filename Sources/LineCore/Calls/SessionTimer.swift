import Base
import SIPCore

/// How long a call stands without a refresh (RFC 4028 §4).
package struct SessionTimer: Equatable, Sendable {
    package enum Refresher: Equatable, Sendable { case here, there }

    /// In seconds.
    let interval: UInt32
    let refresher: Refresher
    /// When the last refresh was accepted.
    let refreshed: Instant

    /// After a failed refresh the next one follows when half of the remaining time has passed, but no sooner than this.
    private static let pause: Duration = .seconds(5)

    package init(interval: UInt32, refresher: Refresher, refreshed: Instant) {
        (self.interval, self.refresher, self.refreshed) = (interval, refresher, refreshed)
    }

    /// When the call is given up if it is not refreshed: earlier than a proxy on the path gives it up (RFC 4028 §10).
    var expiry: Instant {
        let interval = Duration.seconds(interval)
        return refreshed + interval - min(.seconds(32), interval / 3)
    }

    /// When the next action for the session is due.
    func due(after now: Instant) -> Instant {
        switch refresher {
        case .there: return expiry
        case .here:
            let half = refreshed + Duration.seconds(interval) / 2
            return now < half ? half : min(expiry, now + max(Self.pause, (expiry - now) / 2))
        }
    }

    /// The header of a request of ours, in which we are the UAC.
    var asked: SessionExpires { .init(seconds: interval, refresher: refresher == .here ? .uac : .uas) }

    /// The header of a response of ours, in which we are the UAS.
    var answered: SessionExpires { .init(seconds: interval, refresher: refresher == .here ? .uas : .uac) }
}
