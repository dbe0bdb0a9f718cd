import Base

/// Detects silence of the far end. Silence is reported once it has lasted, and its end at once. Pure.
package struct RTPInactivityTimer: Equatable, Sendable {
    package enum Change: Equatable, Sendable { case silent, heard }

    /// Evidence that the far end is there.
    package enum Sign: Equatable, Sendable {
        case voice
        /// RTCP reports (RFC 3550 §6.4), for a far end that sends no voice or whose voice we do not want. It sends
        /// reports every few seconds as long as it takes part. Without this check, a call to a receive-only peer could
        /// last for ever.
        case reports
    }

    private enum State: Equatable, Sendable {
        /// Nothing is expected, for example because the call is not active yet.
        case off
        case listening(Sign, since: Instant)
        case silent(Sign)
    }

    private let timeout: Duration
    private var state = State.off

    /// - Parameter timeout: How long voice may be missing. Reports may be missing for twice as long: two of them are at
    ///   most 7.5 s apart if none is lost (RFC 3550 §6.2).
    package init(timeout: Duration) { self.timeout = timeout }

    package var deadline: Instant? {
        switch state {
        case .listening(.voice, let since): since + timeout
        case .listening(.reports, let since): since + timeout * 2
        case .off, .silent: nil
        }
    }

    /// Sets what is expected from now on. Nil: nothing.
    package mutating func expect(_ sign: Sign?, at now: Instant) {
        switch (state, sign) {
        case (_, nil): state = .off
        case (.listening(let before, _), let sign?) where before == sign: break
        case (.listening, let sign?), (.off, let sign?): state = .listening(sign, since: now)
        // Silence was already reported. It ends when something of the newly expected kind arrives.
        case (.silent, let sign?): state = .silent(sign)
        }
    }

    package mutating func arrived(_ arrival: Sign, at now: Instant) -> Change? {
        switch (state, arrival) {
        case (.off, _), (.listening(.voice, _), .reports), (.silent(.voice), .reports): return nil
        case (.listening(let sign, _), _):
            state = .listening(sign, since: now)
            return nil
        case (.silent(let sign), _):
            state = .listening(sign, since: now)
            return .heard
        }
    }

    package mutating func check(at now: Instant) -> Change? {
        guard let deadline, now >= deadline, case .listening(let sign, _) = state else { return nil }
        state = .silent(sign)
        return .silent
    }
}

/// Reports when the kernel has sent none of a call's packets for a second, and when it sends them again. A single
/// failure is not reported: a packet that does not fit into the kernel's buffer is lost like any other. Pure.
package struct SendWatch: Equatable, Sendable {
    package enum Change: Equatable, Sendable {
        /// Nothing is sent; the error number is the reason.
        case failing(Int32)
        case sending
    }

    private enum State: Equatable, Sendable {
        case sending
        case failing(since: Instant)
        case told
    }

    private static let tolerance = Duration.seconds(1)

    private var state = State.sending

    package init() {}

    /// - Parameter fault: the error number of the packet's failure; nil: the packet was sent.
    package mutating func packet(_ fault: Int32?, at now: Instant) -> Change? {
        switch (state, fault) {
        case (.sending, nil): return nil
        case (.failing, nil): state = .sending
        case (.told, nil):
            state = .sending
            return .sending
        case (.sending, _?): state = .failing(since: now)
        case (.failing(let since), let fault?) where now - since >= Self.tolerance:
            state = .told
            return .failing(fault)
        case (.failing, _?), (.told, _?): break
        }
        return nil
    }
}
