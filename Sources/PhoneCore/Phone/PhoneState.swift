import Base

/// All that a phone knows between two events.
struct PhoneState: Equatable, Sendable {
    enum Mode: Equatable, Sendable { case running, stopping, stopped }

    /// Calls that say goodbye do not count against the limit of calls, but they are not without limit.
    static let spareCalls = 8
    static let mostAccounts = 64

    var mode = Mode.running
    /// Oldest first.
    var calls: [Call] = []
    var actions = ActionLedger()
    var hook: HookPosition?
    var ear = Ear.closed
    var route: Route
    /// Where the route falls back to when its device vanishes.
    var routeBefore: Route
    var registrations: [AccountID: RegistrationState] = [:]
    var unseenMissedCalls = 0
    var lastDialled: String?
    /// The call whose essentials the vault keeps.
    var keptCall: CallID?
    var callsMade: UInt32 = 0
    var panelActions: UInt64 = 0

    init(policy: PhonePolicy) {
        route = policy.defaultRoute
        routeBefore = policy.defaultRoute
    }

    subscript(id: CallID) -> Call? {
        get { calls.first { $0.id == id } }
        set {
            guard let index = calls.firstIndex(where: { $0.id == id }) else { return }
            if let newValue { calls[index] = newValue } else { calls.remove(at: index) }
        }
    }

    /// The next instant at which the phone does something by itself, and what.
    var next: (due: Instant, what: Due)? {
        var next: (due: Instant, what: Due)?
        func consider(_ due: Instant?, _ what: Due) {
            if let due, due < next?.due ?? Instant(nanoseconds: .max) { next = (due, what) }
        }
        for entry in actions.entries { consider(entry.due, .action(entry)) }
        for call in calls { consider(call.due, .call(call.id)) }
        consider(ear.due, .ear)
        return next
    }

    enum Due: Equatable, Sendable {
        case action(ActionLedger.Entry)
        case call(CallID)
        case ear
    }

    /// Whether the call's line can place or answer it. A line that has said nothing yet is trusted when it is the
    /// direct one, which needs nobody's permission, or the one that has just offered this call.
    func isReady(for call: Call) -> Bool {
        registrations[call.account]?.isReady ?? (call.account == .direct || call.direction == .incoming)
    }

    var isEngaged: Bool { calls.contains(where: \.isEngaged) }
    /// Somebody listens, or is in a call.
    var isBusy: Bool { isEngaged || ear != .closed }

    /// The call that a person at the phone would answer now: it rings, and no other call is in the way.
    var summons: Call? { isEngaged ? nil : calls.first(where: \.isRinging) }

    /// The call a person means who names none: the one with the sound or on its way to it, else the only other.
    var focus: Call? {
        if let near = calls.first(where: \.isTakingFloor) ?? calls.first(where: \.isNearEar) { return near }
        let held = calls.filter(\.isEngaged)
        return held.count == 1 ? held[0] : nil
    }

    /// The call that waits for line, sockets or floor. There is at most one.
    var claimant: Call? { calls.first(where: \.isClaiming) }
}
