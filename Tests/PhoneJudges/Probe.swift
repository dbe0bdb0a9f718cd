import Base
import PhoneCore

/// Sends usual requests to a copy of an idle phone: leaked slots and guards show as refusals.
struct Probe {
    let policy: PhonePolicy
    private static let number: UInt64 = .max
    private static let leg = CallID(.line(AccountID(99)), .max)

    init(policy: PhonePolicy) { self.policy = policy }

    func check(_ machine: PhoneMachine, at now: Instant) throws(Violation) {
        guard machine.snapshot.calls.isEmpty else { return }
        try dial(machine, at: now)
        try ring(machine, at: now)
    }

    private func dial(_ machine: PhoneMachine, at now: Instant) throws(Violation) {
        var machine = machine
        let id = ActionID(.control, Self.number)
        let effects = machine.handle(.request(id, .dial("101", account: nil)), at: now)
        for effect in effects {
            guard case .control(.settled(id, .failed(let failure))) = effect, failure != .shuttingDown else { continue }
            let isDisconnected = machine.snapshot.registrations[policy.defaultAccount] == .disconnected
            if failure == .lineNotReady, isDisconnected { continue }
            throw Violation("an idle phone can dial: \(failure)")
        }
    }

    private func ring(_ machine: PhoneMachine, at now: Instant) throws(Violation) {
        var machine = machine
        let caller = Caller(number: "5559999", account: AccountID(99))
        let effects = machine.handle(.line(.offered(Self.leg, caller)), at: now)
        if machine.snapshot.settings.doNotDisturb || effects.contains(.line(.refuse(Self.leg, .unavailable))) { return }
        guard effects.contains(.line(.alert(Self.leg))) else { throw Violation("an idle phone can be called") }
        let isLifted = machine.snapshot.tone != nil
        guard policy.announcer == .interface || isLifted || machine.snapshot.ringing else {
            throw Violation("an idle phone rings")
        }
    }
}
