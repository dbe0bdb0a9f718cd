import Base
import Panel
import PhoneCore

/// The panel's machine and the simulated wires in simulated time: the work of `PanelLoop`, with a clock that jumps.
struct SimulatedTime {
    private(set) var now = Instant.zero
    private(set) var events: [(event: PanelEvent, at: Instant)] = []
    private(set) var scans = 0
    private var machine: PanelMachine
    private var wiring: SimulatedWiring
    /// How late the thread runs after each wake-up, at most.
    private let lag: Duration
    /// One edge of so many is lost, at random; 0 loses none.
    private let losesOneOf: Int
    private var generator: SeededGenerator

    init(_ board: Board, bounce: ContactBounce, seed: UInt64, lag: Duration = .zero, losesOneOf: Int = 0) {
        let plan = PanelPlan(board.panel)
        machine = PanelMachine(plan, hookIsActive: false)
        wiring = SimulatedWiring(plan, bounce: bounce, seed: seed)
        self.lag = lag
        self.losesOneOf = losesOneOf
        generator = SeededGenerator(seed: seed &+ 1)
        for row in plan.keypad?.rows ?? [] { wiring.drive(row, active: true, at: now) }
    }

    var dialFaults: Int { machine.dialFaults }

    func isOn(_ part: PanelOutput) -> Bool { machine.isOn(part, at: now) }

    mutating func perform(_ effect: PanelEffect) { machine.perform(effect, at: now) }

    mutating func apply(_ stimulus: PanelStimulus) throws { try wiring.apply(stimulus, at: now) }

    mutating func run(for duration: Duration) {
        let end = now + duration
        turn()
        while let due = [wiring.deadline, machine.deadline(after: now)].compactMap({ $0 }).min(), due <= end {
            let late = lag == .zero ? 0 : Int64.random(in: 0...lag.nanoseconds, using: &generator)
            now = min(end, max(now, due) + .nanoseconds(late))
            wiring.advance(to: now)
            turn()
            if now == end { break }
        }
        now = end
        wiring.advance(to: now)
        turn()
    }

    /// Lost edges cause no wake-up.
    private mutating func turn() {
        let edges = wiring.takeEdges().filter { _ in
            losesOneOf == 0 || Int.random(in: 0..<losesOneOf, using: &generator) > 0
        }
        let isDue = machine.deadline(after: now).map { $0 <= now } ?? false
        guard losesOneOf == 0 || isDue || !edges.isEmpty else { return }
        let active = wiring.active(among: machine.watchedLines)
        note(machine.looked(edges: edges, active: active, at: now))
        guard machine.wantsScan(at: now), let keypad = machine.plan.keypad else { return }
        scans += 1
        var image = MatrixImage(rows: keypad.rows.count, columns: keypad.columns.count)
        for line in keypad.rows { wiring.drive(line, active: false, at: now) }
        for (row, line) in keypad.rows.enumerated() {
            wiring.drive(line, active: true, at: now)
            for (column, line) in keypad.columns.enumerated() { image[row, column] = wiring.isActive(line) }
            wiring.drive(line, active: false, at: now)
        }
        for line in keypad.rows { wiring.drive(line, active: true, at: now) }
        note(machine.scanned(image, at: now))
    }

    private mutating func note(_ new: [PanelEvent]) { events += new.map { ($0, now) } }
}

extension PanelMachine {
    /// Whether any line of this part is active.
    func isOn(_ part: PanelOutput, at now: Instant) -> Bool {
        plan.outputs.contains { $0.part == part && isOn($0, at: now) }
    }
}
