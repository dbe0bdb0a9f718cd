import Base
import Panel
import PhoneCore

/// A person's hands on bouncing contacts, and the panel's machine behind them.
///
/// The contacts belong to the phone; the machine to its process.
struct SimulatedPanel: Sendable {
    private let plan: PanelPlan
    private var wiring: SimulatedWiring
    private var machine: PanelMachine?
    private(set) var isLifted = false
    private var alarm = Alarm()

    init(_ plan: PanelPlan, bounce: ContactBounce, seed: UInt64) {
        self.plan = plan
        wiring = SimulatedWiring(plan, bounce: bounce, seed: seed)
        for row in plan.keypad?.rows ?? [] { wiring.drive(row, active: true, at: .zero) }
    }

    /// The movements of contacts and deadlines of the machine that are not in the agenda yet.
    mutating func arm(at now: Instant) -> Instant? {
        switch (wiring.deadline, machine?.deadline(after: now)) {
        case (let wires?, let machine?): alarm.set(min(wires, machine), now: now)
        case (let wires, let machine): alarm.set(wires ?? machine, now: now)
        }
    }

    mutating func rings(at now: Instant) -> Bool { alarm.rings(at: now) }

    /// The process starts.
    mutating func boot(at now: Instant) -> [PanelEvent] {
        wiring.advance(to: now)
        _ = wiring.takeEdges()
        let lifted = plan.hook.map { wiring.isActive($0.line) } ?? false
        let machine = PanelMachine(plan, hookIsActive: lifted)
        self.machine = machine
        return machine.hookPosition.map { [.hookFound($0)] } ?? []
    }

    mutating func die() { machine = nil }

    mutating func perform(_ effect: PanelEffect, at now: Instant) { machine?.perform(effect, at: now) }

    /// Whether the bell has an order to ring, now or in its next phase.
    func bellIsOrdered(at now: Instant) -> Bool {
        guard let machine, let bell = machine.plan.outputs.first(where: { $0.part == .bell }) else { return false }
        return (0..<10).contains { machine.isOn(bell, at: now + .milliseconds(500 * $0)) }
    }

    mutating func apply(_ stimulus: PanelStimulus, at now: Instant) throws(PanelError) -> [PanelEvent] {
        if stimulus == .liftHook { isLifted = true }
        if stimulus == .replaceHook { isLifted = false }
        try wiring.apply(stimulus, at: now)
        return look(at: now)
    }

    /// The work of `PanelLoop` when it wakes.
    mutating func look(at now: Instant) -> [PanelEvent] {
        wiring.advance(to: now)
        guard let watched = machine?.watchedLines else { return [] }
        let (edges, active) = (wiring.takeEdges(), wiring.active(among: watched))
        var events = machine?.looked(edges: edges, active: active, at: now) ?? []
        if machine?.wantsScan(at: now) == true, let keypad = plan.keypad {
            let image = scan(keypad, at: now)
            events += machine?.scanned(image, at: now) ?? []
        }
        return events
    }

    private mutating func scan(_ keypad: PanelPlan.Keypad, at now: Instant) -> MatrixImage {
        var image = MatrixImage(rows: keypad.rows.count, columns: keypad.columns.count)
        for line in keypad.rows { wiring.drive(line, active: false, at: now) }
        for (row, line) in keypad.rows.enumerated() {
            wiring.drive(line, active: true, at: now)
            for (column, line) in keypad.columns.enumerated() { image[row, column] = wiring.isActive(line) }
            wiring.drive(line, active: false, at: now)
        }
        for line in keypad.rows { wiring.drive(line, active: true, at: now) }
        return image
    }
}
