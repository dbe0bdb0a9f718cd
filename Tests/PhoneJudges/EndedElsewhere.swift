import Base
import PhoneCore

/// A call that another phone took stops ringing here as soon as the second channel reports it.
struct EndedElsewhere: Equatable, Sendable {
    private struct Waiting: Equatable, Sendable {
        let call: CallID
        let digits: String
    }

    /// Incoming calls without an answer yet.
    private var waiting: [Waiting] = []

    mutating func check(
        _ event: PhoneEvent, _ snapshot: PhoneSnapshot, _ policy: PhonePolicy, at now: Instant
    ) throws(Violation) {
        let before = waiting
        waiting = snapshot.calls.filter {
            $0.direction == .incoming && $0.answered == nil && $0.phase != .disconnecting
        }
        .map { Waiting(call: $0.call, digits: Self.digits($0.number)) }
        guard case .callerInfo(.ended(let info)) = event, now - info.sent <= policy.infoAge else { return }
        let meant = before.filter { $0.digits == Self.digits(info.number) }
        // Of two calls from one number the other may have been meant.
        guard meant.count == 1, snapshot.calls.contains(where: { $0.call == meant[0].call && $0.phase == .ringingIn })
        else { return }
        throw Violation("a call taken by another phone stops ringing: \(meant[0].call)")
    }

    private static func digits(_ number: String) -> String { number.filter(\.isNumber) }
}
