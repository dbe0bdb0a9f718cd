import Base
import Panel
import PhoneCore
import PhoneJudges
import SIPCore

/// A world of whole phones, from one seed.
///
/// It owns the only clock. Every event comes from one agenda, in one order; every random choice comes from the dice of
/// its part. So the same plan gives the same run, event by event.
package struct Simulation: ~Copyable {
    package let plan: SimulationPlan
    package internal(set) var statistics = Statistics()
    package internal(set) var failure: Failure?
    /// The last events, oldest first.
    package var story: [String] { chronicle.lines }
    /// Gets every event when it happens, one line each.
    package var onStory: (@Sendable (String) -> Void)? {
        get { chronicle.onLine }
        set { chronicle.onLine = newValue }
    }

    var now = Instant.zero
    var agenda = Agenda<Happening>()
    var phones: [SimulatedPhone]
    var people: [Person]
    var proxy: Proxy
    var proxyAlarm = Alarm()
    var backend: Backend
    var signIns: SignIns
    var network: Network
    var media: MediaPlane
    var judge: WorldJudge
    var enemy: Enemy
    let enemyJudge: EnemyJudge
    var chronicle: Chronicle
    /// When each person looks at the phone next.
    var looks: [Instant?]
    var isQuiet = false
    /// The dice of the world itself: callers and faults; and of the phones' insides: durations.
    var fate: Dice
    var haste: Dice
    /// Separate dice: the other worlds stay unchanged.
    var gateway: Dice

    package init(_ plan: SimulationPlan) {
        self.plan = plan
        let numbers = (0..<plan.phones).map(SimulatedPhone.number)
        phones = (0..<plan.phones).map { SimulatedPhone(plan, index: $0) }
        people = (0..<plan.phones).map { Person(plan, index: $0) }
        looks = Array(repeating: nil, count: plan.phones)
        proxy = Proxy(
            phones: numbers, challenges: plan.challenges, namesCalls: plan.namesCalls,
            isOverTLS: plan.isOverTLS, seed: plan.seed)
        backend = Backend(isThere: plan.hasBackend, seed: plan.seed)
        signIns = SignIns(seed: plan.seed)
        network = Network(weather: plan.weather, seed: plan.seed)
        media = MediaPlane(seed: plan.seed)
        judge = WorldJudge(weather: plan.weather)
        enemy = Enemy(meetsTLS: plan.isOverTLS, seed: plan.seed)
        enemyJudge = EnemyJudge(isOverTLS: plan.isOverTLS)
        chronicle = Chronicle(capacity: 400)
        fate = Dice(seed: plan.seed, "fate")
        haste = Dice(seed: plan.seed, "haste")
        gateway = Dice(seed: plan.seed, "gateway")
    }

    /// Runs the whole plan, or up to the first broken rule.
    @discardableResult
    package mutating func run() -> Failure? {
        begin()
        let end = Instant.zero + plan.length
        while failure == nil, let next = agenda.next, next <= end, let (at, matter) = agenda.take() {
            now = at
            statistics.events += 1
            happen(matter)
        }
        now = end
        for index in phones.indices where failure == nil { replay(index) }
        statistics.simulated = now - .zero
        return failure
    }

    private mutating func begin() {
        for index in phones.indices {
            agenda.add(.boot(index), at: now + haste.duration(in: .zero ... .seconds(2)))
        }
        wish(again: .wish, mean: .seconds(60 / plan.callsPerMinute))
        wish(again: .rogue, mean: plan.roguePause)
        wish(again: .fault, mean: plan.faultPause)
        wish(again: .attack, mean: plan.enemyPause)
        for quiet in plan.quietTimes {
            agenda.add(.quiet, at: quiet)
            agenda.add(.quietEnd, at: quiet + SimulationPlan.quietLength)
        }
    }

    /// Puts the next of a repeating event into the agenda.
    mutating func wish(again matter: Happening, mean: Duration?) {
        guard let mean else { return }
        agenda.add(matter, at: now + fate.pause(mean: mean))
    }

    // MARK: Events

    private mutating func happen(_ matter: Happening) {
        switch matter {
        case .datagram(let datagram): arrive(datagram)
        case .machineDue(let index):
            if phones[index].process?.machineRings(at: now) == true { tell(index, .deadline) }
        case .lineDue(let index): lineDue(index)
        case .panelDue(let index): panelDue(index)
        case .proxyDue:
            if proxyAlarm.rings(at: now) { carry(proxy.deadlineReached(at: now)) }
        case .event(let index, let life, let event): if phones[index].life == life { tell(index, event) }
        case .signInKept(let index, let life, let record):
            let isForgotten = record.isRenewal && phones[index].vault.record == nil
            if phones[index].life == life, !isForgotten { phones[index].vault.record = record }
        case .mediaCheck(let check):
            media.look(check)
            tellMediaNews()
        case .fork(let call, let targets): carry(proxy.fork(call, to: targets, at: now))
        case .misoffer(let call, let targets): carry(proxy.misoffer(call, to: targets, at: now))
        case .refuse(let call): carry(proxy.refuse(call, .temporarilyUnavailable, at: now))
        case .message(let message): arrive(message)
        case .attack: attack()
        case .forged(let datagram): arriveForged(datagram)
        case .wish, .look, .deed, .rogue: live(matter)
        case .fault, .mend, .boot, .quiet, .quietEnd: fare(matter)
        }
    }

    // MARK: Events for a phone

    /// The only entry: every event of every phone passes here, and is judged.
    mutating func tell(_ index: Int, _ event: PhoneEvent) {
        guard failure == nil, let (before, effects) = phones[index].process?.handle(event, at: now) else { return }
        statistics.told += 1
        statistics.effects += effects.count
        chronicle.add(.phone(index, event, effects), at: now)
        do throws(Violation) {
            if before.rings { try judge.checkRinging(phones[index], before, at: now) }
            let after = try phones[index].process?.judge(event, effects, at: now) ?? before
            try judgeRights(event, effects, before, after, of: index)
            if effects.contains(where: \.tellsOfMissedCall) { try judge.check(effects, of: phones[index]) }
            for effect in effects where failure == nil { perform(effect, of: index) }
            if media.hasSessions(of: index) { try judge.check(media.sessions, of: index, in: phones, after, at: now) }
        } catch {
            return fail(error.rule, index)
        }
        notice(effects, index)
        arm(index)
    }

    /// Puts the phone's deadlines into the agenda.
    mutating func arm(_ index: Int) {
        guard let (machine, line) = phones[index].process?.arm(at: now) else { return }
        if let machine { agenda.add(.machineDue(index), at: machine) }
        if let line { agenda.add(.lineDue(index), at: line) }
    }

    mutating func fail(_ rule: String, _ index: Int?) {
        guard failure == nil else { return }
        failure = Failure(
            seed: plan.seed, phone: index.map(SimulatedPhone.number), rule: rule, at: now, story: chronicle.lines)
    }

    /// A replay of a process gives the same effects.
    mutating func replay(_ index: Int) {
        guard let recording = phones[index].process?.recording else { return }
        guard let first = recording.replay(policy: phones[index].policy) else { return }
        fail("a recording replays with the same effects: event \(first) of \(recording.entries.count)", index)
    }
}

extension PhoneSnapshot {
    fileprivate var rings: Bool { calls.contains { $0.phase == .ringingIn } }
}

extension PhoneEffect {
    fileprivate var tellsOfMissedCall: Bool {
        if case .control(.notice(.missedCall)) = self { true } else { false }
    }
}
