import Base
import SIPCore

/// For how long a call stands unless one of its ends says that it does (RFC 4028 §4).
package struct SessionTimer: Equatable, Sendable {
    package enum Refresher: Equatable, Sendable { case here, there }

    /// In seconds.
    let interval: UInt32
    let refresher: Refresher
    /// When the last refresh was accepted.
    let refreshed: Instant

    /// After a refresh that came to nothing the next one follows when half of what is left has passed, but not sooner.
    private static let pause: Duration = .seconds(5)

    package init(interval: UInt32, refresher: Refresher, refreshed: Instant) {
        (self.interval, self.refresher, self.refreshed) = (interval, refresher, refreshed)
    }

    /// Without a refresh the call is given up then, before a proxy on the way does it (RFC 4028 §10).
    var expiry: Instant {
        let interval = Duration.seconds(interval)
        return refreshed + interval - min(.seconds(32), interval / 3)
    }

    /// When to do something for the session.
    func due(after now: Instant) -> Instant {
        switch refresher {
        case .there: return expiry
        case .here:
            let half = refreshed + Duration.seconds(interval) / 2
            return now < half ? half : min(expiry, now + max(Self.pause, (expiry - now) / 2))
        }
    }

    /// As a request of ours says it: whoever sends the request is its client.
    var asked: SessionExpires { .init(seconds: interval, refresher: refresher == .here ? .uac : .uas) }

    /// As a response of ours says it.
    var answered: SessionExpires { .init(seconds: interval, refresher: refresher == .here ? .uas : .uac) }
}
