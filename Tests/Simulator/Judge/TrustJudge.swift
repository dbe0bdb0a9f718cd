import Base
import PhoneCore
import PhoneJudges

/// Every call that is answered, placed or shown as verified is justified by a person, or by the owner's lists and the
/// server's assertion.
struct TrustJudge: Sendable {
    /// A call may be answered so long before its line offers it, if caller info announced it.
    private static let foresight = Duration.seconds(6)
    /// The time for which a person's consent may take effect, with all repetitions.
    private static let reach = Duration.seconds(80)

    private let policy: PhonePolicy
    /// When a person or a program did something that may answer a call.
    private var handsAt: Instant?
    private var consentAt: Instant?
    /// When each leg was offered.
    private var offeredAt: [CallID: Instant] = [:]
    /// Legs that the phone answered automatically.
    private var unattended: Set<CallID> = []
    /// The targets that far ends named for transfer, by leg.
    private var asked: [CallID: String] = [:]

    init(policy: PhonePolicy) { self.policy = policy }

    mutating func check(
        _ event: PhoneEvent, _ effects: [PhoneEffect], _ witness: Witness, at now: Instant
    ) throws(Violation) {
        expect(event, at: now)
        for effect in effects {
            switch effect {
            case .line(.answer(let leg, _, let awaitsACK)):
                try checkAnswer(leg, awaitsACK: awaitsACK, witness)
            case .line(.follow(_, let leg, _, _)), .line(.redirect(let leg, true)): try checkCause(leg, at: now)
            case .media(.connect): try checkReceiver(event, witness)
            case .line, .panel, .media, .vault, .control, .callerInfo, .backend, .display, .stopped: break
            }
        }
    }

    /// Whether a person may have agreed to a call that is on its way now.
    func mayHaveAgreed(at now: Instant) -> Bool { consentAt.map { now - $0 <= Self.reach } ?? false }

    func check(_ snapshot: PhoneSnapshot, _ witness: Witness) throws(Violation) {
        for call in snapshot.calls where call.verification == .passed {
            // Caller info may set the number in groups.
            guard witness.testimony.verified.contains(call.number.filter(\.isNumber)) else {
                throw Violation("a call shown as verified was verified: \(call.call)")
            }
        }
    }

    private mutating func expect(_ event: PhoneEvent, at now: Instant) {
        switch event {
        case .panel(let event):
            if event.mayAnswer { handsAt = now }
            if event == .pressed(.transfer) { consentAt = now }
        case .request(_, let request):
            if request.mayAnswer { handsAt = now }
            if case .acceptTransfer = request { consentAt = now }
        case .line(.offered(let leg, _)): offeredAt[leg] = now
        case .line(.referred(let leg, let target)), .line(.redirected(let leg, let target)): asked[leg] = target
        case .line, .media, .vault, .network, .callerInfo, .backend, .clock, .policyChanged, .deadline,
            .shutDown:
            break
        }
    }

    private mutating func checkAnswer(_ leg: CallID, awaitsACK: Bool, _ witness: Witness) throws(Violation) {
        guard let call = witness.call(ofLeg: leg), let offered = offeredAt[leg] else {
            throw Violation("an answered call was offered: \(leg)")
        }
        guard !call.replaces, handsAt.map({ $0 < offered - Self.foresight }) ?? true else { return }
        guard awaitsACK else { throw Violation("an automatically answered caller must send its ACK: \(leg)") }
        let list = policy.autoAnswer
        guard let caller = call.caller, list.callers.contains(where: { $0.isExactly(caller) }),
            call.wantsAnswer || !list.onlyWhenAsked
        else { throw Violation("only listed callers are answered automatically: \(leg)") }
        unattended.insert(leg)
    }

    /// A caller without a sign of life is sent no voice.
    private func checkReceiver(_ event: PhoneEvent, _ witness: Witness) throws(Violation) {
        guard case .line(.answered(let leg, _)) = event, unattended.contains(leg) else { return }
        guard witness.call(ofLeg: leg)?.isAcknowledged == true else {
            throw Violation("no voice before the ACK of an automatically answered call: \(leg)")
        }
    }

    private func checkCause(_ leg: CallID, at now: Instant) throws(Violation) {
        if let consentAt, now - consentAt <= policy.startTime { return }
        guard policy.followsTransfers, !unattended.contains(leg), let target = asked[leg] else {
            throw Violation("no transfer target is called without permission: \(leg)")
        }
        switch policy.transferTargets?.verdict(target) {
        case .complete, .mayGrow: return
        case .emergency, .partial, .noMatch, nil:
            throw Violation("only listed numbers are transfer targets: \(leg)")
        }
    }
}

extension PanelEvent {
    /// Whether it answers a ringing or waiting call.
    fileprivate var mayAnswer: Bool {
        switch self {
        case .hook, .hookFound: true
        case .pressed(let key): [.speaker, .headset, .flash, .hold, .transfer].contains(key) || key.isOfALine
        case .released, .input, .failed: false
        }
    }
}

extension Key {
    fileprivate var isOfALine: Bool { if case .line = self { true } else { false } }
}

extension Request {
    /// Whether a program's request answers a ringing or waiting call.
    fileprivate var mayAnswer: Bool {
        switch self {
        case .answer, .hold, .toggleHold, .speaker, .toggleSpeaker: true
        default: false
        }
    }
}

extension ListedCaller {
    /// Exact match: listed callers here have plain digits only.
    func isExactly(_ caller: AssertedNumber) -> Bool { number == caller.number && domain == caller.domain }
}
