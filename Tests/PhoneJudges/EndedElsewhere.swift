import Base
import PhoneCore

/// What another phone took stops ringing here as soon as the second channel says so.
struct EndedElsewhere: Equatable, Sendable {
    private struct Waiting: Equatable, Sendable {
        let call: CallID
        let digits: String
    }

    /// Incoming calls that nobody has answered yet.
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
        // Of two calls from one number another may have been meant.
        guard meant.count == 1, snapshot.calls.contains(where: { $0.call == meant[0].call && $0.phase == .ringingIn })
        else { return }
        throw Violation("what another phone took stops ringing: \(meant[0].call)")
    }

    private static func digits(_ number: String) -> String { number.filter(\.isNumber) }
}
