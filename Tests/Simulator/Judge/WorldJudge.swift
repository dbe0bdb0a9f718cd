import Base
import PhoneCore
import PhoneJudges

/// Rules between phones: the server's state of a call against the phones' states.
struct WorldJudge: Sendable {
    private struct WorldCall: Sendable {
        let invited: Instant
        var answeredBy: String?
        var answeredAt: Instant?
        var overAt: Instant?
        /// When each phone was called for it.
        var rang: [String: Instant] = [:]
    }

    /// How long the news of an end may take to reach a phone. On a network without loss, an unreachable phone gets the
    /// next repetition (T2, 4 s, RFC 3261 §17.1.2.2). On a lossy one, a server without a response may not cancel (RFC
    /// 3261 §9.1), and repeats only at 15.5 s and 31.5 s. No phone rings beyond its own limit of 30 s.
    private static let grace = Duration.seconds(5)
    private static let graceInBadWeather = Duration.seconds(30)
    /// Beyond the policy's time: until silence is noticed and reported.
    private static let silenceSlack = Duration.seconds(2)

    /// 64·T1 (RFC 3261 §17.1.1.2), less the time of the way back.
    private static let patienceOfServer = Duration.seconds(30)

    private var calls: [String: WorldCall] = [:]
    /// Calls with a message that the server changed.
    private var tampered: Set<String> = []
    private let grace: Duration

    init(weather: Weather) { grace = weather.lossPercent == 0 ? Self.grace : Self.graceInBadWeather }

    mutating func giveUp(_ callID: String) {
        calls[callID] = nil
        tampered.insert(callID)
    }

    mutating func take(_ story: Proxy.Story, at now: Instant) {
        switch story {
        case .invited(let callID) where tampered.contains(callID): return
        case .invited(let callID):
            if calls.count > 512 { calls = calls.filter { now - $0.value.invited < .seconds(600) } }
            calls[callID] = WorldCall(invited: now)
        case .rang(let callID, let number): calls[callID]?.rang[number] = now
        case .answered(let callID, let number):
            calls[callID]?.answeredBy = number
            calls[callID]?.answeredAt = now
        case .over(let callID, _): if calls[callID]?.overAt == nil { calls[callID]?.overAt = now }
        }
    }

    /// Before an event changes anything: ringing until now is allowed.
    func checkRinging(_ phone: SimulatedPhone, _ snapshot: PhoneSnapshot, at now: Instant) throws(Violation) {
        // A phone that moves while it rings is unreachable: the server uses its former address.
        for call in snapshot.calls where call.phase == .ringingIn && call.started > phone.movedAt {
            guard let callID = phone.process?.callIDs[call.call], let known = calls[callID] else { continue }
            // An INVITE that arrives after the server gave up rings legitimately, as no message can correct it.
            guard let rang = known.rang[phone.number], call.started < rang + Self.patienceOfServer else { continue }
            if let over = known.overAt, now > latest(over, call, phone) {
                throw Violation("no phone keeps ringing for an ended call: \(call.call)")
            }
            if let answered = known.answeredAt, known.answeredBy != phone.number, now > latest(answered, call, phone) {
                throw Violation("no phone rings for a call answered elsewhere: \(call.call)")
            }
        }
    }

    /// The time until the phone has the news. An INVITE that overtook the end of its call is cancelled as soon as it
    /// was answered. Messages lost without a path are repeated within 16 s (RFC 3261 §17.1.1.2).
    private func latest(_ end: Instant, _ call: CallSummary, _ phone: SimulatedPhone) -> Instant {
        max(max(end, call.started) + grace, phone.troubleUntil + Self.graceInBadWeather)
    }

    /// A phone's reports of calls that others answered.
    func check(_ effects: [PhoneEffect], of phone: SimulatedPhone) throws(Violation) {
        for effect in effects {
            guard case .control(.notice(.missedCall(let summary, .remoteHungUp))) = effect,
                let callID = phone.process?.callIDs[summary.call], let known = calls[callID],
                let winner = known.answeredBy, winner != phone.number, known.overAt == nil
            else { continue }
            throw Violation("a call answered elsewhere is not missed: \(summary.call)")
        }
    }

    /// The media of a phone against its display.
    func check(
        _ sessions: [MediaSession], of index: Int, in phones: [SimulatedPhone], _ snapshot: PhoneSnapshot,
        at now: Instant
    ) throws(Violation) {
        for session in sessions where session.phone == index {
            guard let call = snapshot.calls.first(where: { $0.call == session.call }) else {
                throw Violation("media live no longer than their call: \(session.call)")
            }
            guard session.isActive else { continue }
            if session.isMicrophoneOpen && (call.heldHere || snapshot.interrupted) {
                throw Violation("the gate is closed when the rules require it: \(session.call)")
            }
            let limit = phones[index].policy.silenceTime + Self.silenceSlack
            if call.phase == .active, !snapshot.interrupted, let since = session.silentSince, now > since + limit,
                let calm = phones[index].process?.calmSince[call.call], now > calm + limit
            {
                throw Violation("no call stays silent forever: \(session.call)")
            }
        }
    }

    /// After a quiet time: both ends of a call agree on it, and the vault keeps no call that is not up.
    func checkRest(_ phones: [SimulatedPhone]) throws(Violation) {
        var ends: [String: [CallSummary]] = [:]
        for phone in phones {
            guard let process = phone.process else { continue }
            if process.shown.calls.isEmpty && phone.vault.persisted != nil {
                throw Violation("the vault of phone \(phone.number) keeps no call that is not up")
            }
            let isRinging = process.shown.calls.contains { $0.phase == .ringingIn || $0.phase == .connecting }
            if !isRinging, !phone.vault.ringing.isEmpty {
                throw Violation("the vault of phone \(phone.number) keeps no call that does not ring")
            }
            for call in process.shown.calls {
                if let callID = process.callIDs[call.call] { ends[callID, default: []].append(call) }
            }
        }
        for (callID, calls) in ends where calls.count == 2 && !tampered.contains(callID) {
            guard calls[0].heldHere == calls[1].heldThere, calls[1].heldHere == calls[0].heldThere else {
                throw Violation("both ends agree on the hold: \(callID)")
            }
        }
    }
}
