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

/// Session timers. A call that is not refreshed ends, so that neither end talks to a far end that is gone (RFC 4028).
extension LineContext {
    // MARK: As the client

    /// Writes the session timer that our INVITE or UPDATE requests. The first one lets the far end choose the refresher
    /// (RFC 4028 §7.1). A request in a call with a timer names the refresher (§7.4).
    func askSession(_ headers: inout SIPHeaders, _ session: SessionTimer?) {
        headers.set(.sessionExpires, session?.asked ?? SessionExpires(seconds: configuration.sessionExpires))
        if configuration.minimumSessionExpires > MinSE.least {
            headers.set(.minSE, MinSE(seconds: configuration.minimumSessionExpires))
        }
    }

    /// Reads the timer that a 2xx grants. A 2xx without Session-Expires switches the timer off (RFC 4028 §7.2). If the
    /// far end names no refresher, we refresh.
    func grantedSession(_ response: SIPResponse, at now: Instant) -> SessionTimer? {
        guard let granted = try? response.headers.sessionExpires else { return nil }
        return SessionTimer(
            interval: max(granted.seconds, MinSE.least), refresher: granted.refresher == .uas ? .there : .here,
            refreshed: now)
    }

    // MARK: As the server

    /// 422, if a request asks for a shorter session than we accept, and supports session timers (RFC 4028 §9).
    func refusalOfSession(_ request: SIPRequest) -> RequestRefusal? {
        guard let asked = try? request.headers.sessionExpires, asked.seconds < configuration.minimumSessionExpires,
            request.headers.supports("timer")
        else { return nil }
        return .sessionIntervalTooSmall(least: configuration.minimumSessionExpires)
    }

    /// Writes the session's length and its refresher into our 2xx (RFC 4028 §9, table 2).
    /// - Parameter current: The timer of a call that is up. Its roles stay if the request does not name them.
    func answerSession(
        _ request: SIPRequest, _ current: SessionTimer?, in headers: inout SIPHeaders, at now: Instant
    ) -> SessionTimer? {
        let knowsTimers = request.headers.supports("timer")
        let asked = try? request.headers.sessionExpires
        let least = max((try? request.headers.minSE?.seconds) ?? 0, configuration.minimumSessionExpires)
        let session: SessionTimer
        switch (asked, knowsTimers) {
        case (nil, false): return nil
        case (nil, true):
            session = SessionTimer(
                interval: max(configuration.sessionExpires, least), refresher: current?.refresher ?? .here,
                refreshed: now)
        // A proxy asked for the timer, and the far end does not know 422.
        case (let asked?, false) where asked.seconds < MinSE.least: return nil
        case (let asked?, _):
            let refresher: SessionTimer.Refresher =
                switch (knowsTimers, asked.refresher) {
                case (false, _), (true, .uas): .here
                case (true, .uac): .there
                case (true, nil): current?.refresher ?? .there
                }
            session = SessionTimer(
                interval: min(asked.seconds, max(configuration.sessionExpires, least)), refresher: refresher,
                refreshed: now)
        }
        headers.set(.sessionExpires, session.answered)
        if knowsTimers { headers.set(.require, tokens: ["timer"]) }
        return session
    }
}

extension LineMachine {
    /// In seconds. A far end that asks for more does not want a timer.
    private static let longestSession: UInt32 = 86_400

    /// Repeats a request that was answered 422, with the interval that the response asks for (RFC 4028 §7.3).
    mutating func lengthenSession(_ response: SIPResponse, _ request: SentRequest, at now: Instant) -> Bool {
        let asked = try? request.request.headers.sessionExpires
        guard request.repetitions < SentRequest.repetitionLimit, let asked,
            let least = try? response.headers.minSE?.seconds, least > asked.seconds, least <= Self.longestSession,
            var again = again(request)
        else { return false }
        again.headers.set(.sessionExpires, SessionExpires(seconds: least, refresher: asked.refresher))
        again.headers.set(.minSE, MinSE(seconds: least))
        resend(again, for: request, challenges: request.challenges, at: now)
        return true
    }
}
