import Base
import SIPCore

/// How long a call lasts without a refresh (RFC 4028 §4).
package struct SessionTimer: Equatable, Sendable {
    package enum Refresher: Equatable, Sendable { case here, there }

    /// In seconds.
    let interval: UInt32
    let refresher: Refresher
    /// When the last refresh was accepted.
    let refreshed: Instant

    /// After a failed refresh the next one waits for half of the remaining time, but at least for this.
    private static let pause: Duration = .seconds(5)

    package init(interval: UInt32, refresher: Refresher, refreshed: Instant) {
        (self.interval, self.refresher, self.refreshed) = (interval, refresher, refreshed)
    }

    /// When we give up a call that is not refreshed. A proxy on the path gives it up later (RFC 4028 §10).
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

    /// The header of our request, in which we are the UAC.
    var asked: SessionExpires { .init(seconds: interval, refresher: refresher == .here ? .uac : .uas) }

    /// The header of our response, in which we are the UAS.
    var answered: SessionExpires { .init(seconds: interval, refresher: refresher == .here ? .uas : .uac) }
}
