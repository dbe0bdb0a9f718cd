import Base
import LineCore
import PhoneCore
import PhoneJudges
import SIPCore

/// The enemy in the world.
extension Simulation {
    /// How many calls of the phones the server routes to the enemy, in percent.
    private static let hijacked = 40
    /// How many registrations get a false response.
    private static let misled = 15
    /// How many messages between others the server changes.
    private static let tampered = 8

    mutating func attack() {
        wish(again: .attack, mean: plan.enemyPause)
        guard !isQuiet, let attack = enemy.attack(phones.map(\.host)) else { return }
        switch attack {
        case .forged(let datagram): agenda.add(.forged(datagram), at: now + fate.duration(in: plan.weather.delay))
        case .passedOn(let datagram): send(datagram)
        case .packets(let host, let symbols):
            guard let index = phones.indices.first(where: { phones[$0].host == host }) else { return }
            if media.forge(symbols, for: index, at: now) { statistics.forgedPackets += 1 }
            tellMediaNews()
        }
    }

    /// A stranger's message arrives.
    mutating func arriveForged(_ datagram: Datagram) {
        guard let index = phones.indices.first(where: { phones[$0].host == datagram.to.host }),
            let outputs = phones[index].process?.line.take(.received(datagram.bytes, datagram.arrival), at: now)
        else { return }
        statistics.attacks += 1
        do throws(Violation) {
            try enemyJudge.check(outputs, after: datagram)
            if let line = phones[index].process?.line { try enemyJudge.check(line) }
        } catch {
            chronicle.add(.wire(datagram), at: now)
            return fail(error.rule, index)
        }
        arm(index)
    }

    /// Whether a message to the server goes to the enemy instead, as the far end of its call.
    mutating func isHijacked(_ datagram: Datagram) -> Bool {
        guard plan.enemyPause != nil else { return false }
        if datagram.to == Proxy.endpoint,
            let answers = enemy.answers(registering: datagram, chance: isQuiet ? 0 : Self.misled)
        {
            for answer in answers { send(answer) }
            return true
        }
        let takes = enemy.takes(datagram, chance: isQuiet ? 0 : Self.hijacked)
        if !takes { enemy.see(datagram) }
        guard takes else { return false }
        for answer in enemy.hear(datagram) { send(answer) }
        return true
    }

    /// The server forwards a message, possibly changed. What the ends of such a call know is then undefined.
    mutating func passOn(_ datagram: Datagram) {
        guard plan.enemyPause != nil, !isQuiet,
            let (callID, instead) = enemy.tampers(datagram, chance: Self.tampered)
        else { return send(datagram) }
        statistics.tampered += 1
        judge.giveUp(callID)
        for other in instead { send(other) }
    }

    /// A message leaves a phone.
    mutating func judgeSending(_ datagram: Datagram, of index: Int) {
        guard plan.enemyPause != nil else { return }
        do throws(Violation) {
            let callID = datagram.to == Proxy.endpoint ? nil : SimulatedLine.callID(in: datagram.bytes)
            let isNamed = callID.map { phones[index].rights.names(datagram.to.host, in: $0) } ?? true
            try enemyJudge.check(datagram, isNamed: isNamed)
            try phones[index].rights.check(datagram, at: now)
            if let line = phones[index].process?.line { try enemyJudge.check(line) }
        } catch {
            fail(error.rule, index)
        }
    }

    /// A phone stores its facts about its server.
    mutating func judgeLearning(_ trust: LineTrust, of index: Int) {
        guard plan.enemyPause != nil else { return }
        do throws(Violation) { try phones[index].rights.check(trust) } catch { fail(error.rule, index) }
    }

    /// Long pauses after failures are skipped: every account that may register tries at once.
    mutating func registerAgain() {
        for index in phones.indices where phones[index].process?.line.registration != .disconnected {
            tellLine(index, .command(.reconnect(SimulatedPhone.account)))
        }
    }

    /// A phone acts.
    mutating func judgeRights(
        _ event: PhoneEvent, _ effects: [PhoneEffect], _ before: PhoneSnapshot, _ after: PhoneSnapshot, of index: Int
    ) throws(Violation) {
        guard plan.enemyPause != nil, let process = phones[index].process else { return }
        let callIDs = process.callIDs
        try enemyJudge.check(process.machine.real)
        try phones[index].rights.check(event, effects, before, after, callIDs: callIDs, at: now)
    }
}
