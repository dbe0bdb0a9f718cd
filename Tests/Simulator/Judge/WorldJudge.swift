import Base
import PhoneCore
import PhoneJudges

/// Rules between phones: what the server knows of a call against what the phones show of it.
struct WorldJudge: Sendable {
    private struct WorldCall: Sendable {
        let invited: Instant
        var answeredBy: String?
        var answeredAt: Instant?
        var overAt: Instant?
        /// When each phone was called for it.
        var rang: [String: Instant] = [:]
    }

    /// How long the news of an end may take to a phone on a network that loses nothing, where whoever was away hears it at
    /// the next repetition (T2, 4 s, RFC 3261 §17.1.2.2), and on one that does: there a
    /// server that has heard no answer may not cancel (RFC 3261 §9.1), and asks again at 15.5 s and at 31.5 s only. Nobody
    /// is left ringing beyond the phone's own 30 s.
    private static let grace = Duration.seconds(5)
    private static let graceInBadWeather = Duration.seconds(30)
    /// Beyond the policy's time: until silence is noticed, and the news of it is told.
    private static let silenceSlack = Duration.seconds(2)

    /// 64·T1 (RFC 3261 §17.1.1.2), less the time of the way back.
    private static let patienceOfServer = Duration.seconds(30)

    private var calls: [String: WorldCall] = [:]
    /// Calls of which the server did not pass on everything as it was.
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

    /// Before an event changes anything: what has rung until now may have rung until now.
    func checkRinging(_ phone: SimulatedPhone, _ snapshot: PhoneSnapshot, at now: Instant) throws(Violation) {
        // Whoever moves while it rings cannot be told: the server speaks to where it called.
        for call in snapshot.calls where call.phase == .ringingIn && call.started > phone.movedAt {
            guard let callID = phone.process?.callIDs[call.call], let known = calls[callID] else { continue }
            // An INVITE that arrives when the server has given it up rings for nobody, and nobody can say so.
            guard let rang = known.rang[phone.number], call.started < rang + Self.patienceOfServer else { continue }
            if let over = known.overAt, now > latest(over, call, phone) {
                throw Violation("nobody is left ringing for a call that ended: \(call.call)")
            }
            if let answered = known.answeredAt, known.answeredBy != phone.number, now > latest(answered, call, phone) {
                throw Violation("nothing rings that was answered elsewhere: \(call.call)")
            }
        }
    }

    /// Until when the phone has heard of it: an INVITE that overtook the end of its own call is called back as soon as
    /// it was answered, and what was lost while there was no path is said again in at most 16 s (RFC 3261 §17.1.1.2).
    private func latest(_ end: Instant, _ call: CallSummary, _ phone: SimulatedPhone) -> Instant {
        max(max(end, call.started) + grace, phone.troubleUntil + Self.graceInBadWeather)
    }

    /// What a phone tells of calls that others answered.
    func check(_ effects: [PhoneEffect], of phone: SimulatedPhone) throws(Violation) {
        for effect in effects {
            guard case .control(.notice(.missedCall(let summary, .remoteHungUp))) = effect,
                let callID = phone.process?.callIDs[summary.call], let known = calls[callID],
                let winner = known.answeredBy, winner != phone.number, known.overAt == nil
            else { continue }
            throw Violation("what was answered elsewhere is not missed: \(summary.call)")
        }
    }

    /// What the media of a phone say against what it shows.
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
                throw Violation("the gate is closed when the rule says so: \(session.call)")
            }
            let limit = phones[index].policy.silenceTime + Self.silenceSlack
            if call.phase == .active, !snapshot.interrupted, let since = session.silentSince, now > since + limit,
                let calm = phones[index].process?.calmSince[call.call], now > calm + limit
            {
                throw Violation("nobody talks to silence for ever: \(session.call)")
            }
        }
    }

    /// After a quiet time: both ends of a call say the same of it, and the vault keeps no call that is not up.
    func checkRest(_ phones: [SimulatedPhone]) throws(Violation) {
        var ends: [String: [CallSummary]] = [:]
        for phone in phones {
            guard let process = phone.process else { continue }
            if process.shown.calls.isEmpty && phone.vault.persisted != nil {
                throw Violation("the vault of phone \(phone.number) keeps no call that is not up")
            }
            for call in process.shown.calls {
                if let callID = process.callIDs[call.call] { ends[callID, default: []].append(call) }
            }
        }
        for (callID, calls) in ends where calls.count == 2 && !tampered.contains(callID) {
            guard calls[0].heldHere == calls[1].heldThere, calls[1].heldHere == calls[0].heldThere else {
                throw Violation("both ends know who holds: \(callID)")
            }
        }
    }
}
