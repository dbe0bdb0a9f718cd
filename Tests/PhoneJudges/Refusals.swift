import Base
import PhoneCore

/// Every refused call has an event and a log line, and every wanted one an entry in the history.
struct Refusals: Equatable, Sendable {
    private struct Told: Equatable, Sendable {
        let ids: [String]
        let digits: String
        let at: Instant
    }

    /// Refusals of lines that a person would want to know of.
    private static let wanted: Set<CallRefusal> = [
        .noProtection, .protectionUnsupported, .noCommonCodec, .noAudio, .unusableMedia, .noICE, .unsupported,
        .malformed, .noRoom, .tooOften,
    ]

    private let memory: Duration
    /// Calls that caller info announced or ended. Only these have a second report.
    private var told: [Told] = []
    private var offered: (leg: CallID, caller: Caller)?
    private var refusedByLine: (caller: Caller, reason: CallRefusal)?
    private var isRefused = false
    private var notices: [RefusedCall] = []
    private var ended: [CallSummary] = []
    private var records = 0
    /// The phone is stopping, and its history is closing.
    private var isStopping = false

    init(policy: PhonePolicy) {
        // A call may ring, and wait for its organisation and its offer, for this long. It is remembered for a while.
        let waiting = policy.ringingInTime + policy.answerTime + policy.switchTime + policy.offerTime
        memory = waiting + policy.memoryTime + policy.endTime
    }

    static func == (one: Refusals, other: Refusals) -> Bool { one.told == other.told }

    mutating func expect(_ event: PhoneEvent, at now: Instant) {
        (offered, refusedByLine, isRefused, notices, ended, records) = (nil, nil, false, [], [], 0)
        switch event {
        case .callerInfo(.incoming(let info)), .callerInfo(.ended(let info)):
            told.removeAll { now - $0.at > memory }
            told.append(Told(ids: info.ids, digits: Self.digits(info.number), at: now))
        case .line(.offered(let leg, let caller)): offered = (leg, caller)
        case .line(.refused(let caller, _, let reason)): refusedByLine = (caller, reason)
        case .shutDown: isStopping = true
        case .line, .panel, .media, .vault, .network, .request, .callerInfo, .backend, .clock, .policyChanged,
            .deadline:
            break
        }
    }

    mutating func take(_ effect: PhoneEffect) {
        switch effect {
        case .line(.refuse(let leg, _)): isRefused = isRefused || leg == offered?.leg
        case .control(.notice(.callRefused(let call))): notices.append(call)
        case .control(.notice(.callEnded(let summary, _))): ended.append(summary)
        case .vault(.addHistory): records += 1
        case .line, .control, .vault, .panel, .media, .callerInfo, .backend, .display, .stopped: break
        }
    }

    func checkTurn(_ snapshot: PhoneSnapshot) throws(Violation) {
        if let refusedByLine { try check(refusedByLine.caller, refusedByLine.reason, snapshot) }
        guard let offered, isRefused else { return }
        // It is a normal end, with its event and its entry in the history.
        if ended.contains(where: { $0.call == offered.leg }) { return }
        if snapshot.calls.contains(where: { $0.call == offered.leg }) { return }
        guard notices.contains(where: { $0.number == offered.caller.number }) else {
            throw Violation("no call is refused without an event: \(offered.leg)")
        }
        guard told.contains(where: { isMeant($0, offered.caller) }) else {
            throw Violation("only caller info reports a call before its line does: \(offered.leg)")
        }
    }

    private func check(_ caller: Caller, _ reason: CallRefusal, _ snapshot: PhoneSnapshot) throws(Violation) {
        guard notices.contains(where: { $0.reason == reason }) else {
            throw Violation("a call refused by a line is reported: \(reason)")
        }
        let waits = snapshot.calls.contains { $0.direction == .incoming && $0.call.origin == .info }
        guard !Self.wanted.contains(reason) || records > 0 || waits || isStopping else {
            throw Violation("a call refused by a line is in the history: \(reason)")
        }
    }

    private func isMeant(_ told: Told, _ caller: Caller) -> Bool {
        told.ids.contains(where: caller.ids.contains) || told.digits == Self.digits(caller.number)
    }

    /// Numbers match with any country code.
    private static func digits(_ number: String) -> String {
        let digits = number.filter(\.isNumber)
        return digits.isEmpty ? number.lowercased() : String(digits.suffix(10))
    }
}
