import Base
import PhoneCore

/// The wires of a simulated panel, as a value type in simulated or real time: contacts, and the resulting levels.
///
/// A direct contact makes its line active while it is closed; the dial's pulse contact does so while it is open. A key
/// of the matrix connects its row with its column. A column is active while any chain of closed keys connects it with a
/// driven row, ghosts included.
package struct SimulatedWiring: Sendable {
    /// The number of edges of one line that a kernel keeps for libgpiod 1.
    private static let edgesKept = 16

    private enum Wire: Equatable {
        case direct(line: Int)
        case crossing(row: Int, column: Int)
    }

    private struct Contact {
        let name: String
        let wire: Wire
        /// Whether the contact makes its line active. Such a contact is closed, but the dial's pulse contact is open.
        var closed = false
        /// When it will move, soonest first.
        var moves: [Instant] = []
    }

    private let plan: PanelPlan
    private let bounce: ContactBounce
    private var generator: SeededGenerator
    private var contacts: [Contact] = []
    private var drivenRows: Set<Int> = []
    /// The inputs that are active.
    private var active: Set<Int> = []
    private var edges: [LineEdge] = []

    package init(_ plan: PanelPlan, bounce: ContactBounce, seed: UInt64) {
        self.plan = plan
        self.bounce = bounce
        generator = SeededGenerator(seed: seed)
        for contact in plan.contacts {
            contacts.append(Contact(name: contact.part.name, wire: .direct(line: contact.line)))
        }
        if let dial = plan.dial {
            contacts.append(Contact(name: "dial.pulse", wire: .direct(line: dial.pulse)))
            if let line = dial.offNormal {
                contacts.append(Contact(name: "dial.off-normal", wire: .direct(line: line)))
            }
        }
        if let encoder = plan.encoder {
            contacts.append(Contact(name: "encoder.a", wire: .direct(line: encoder.leading)))
            contacts.append(Contact(name: "encoder.b", wire: .direct(line: encoder.trailing)))
        }
        for (row, keys) in (plan.keypad?.keys ?? []).enumerated() {
            for (column, key) in keys.enumerated() {
                guard let key else { continue }
                contacts.append(Contact(name: "keypad.\(key.name)", wire: .crossing(row: row, column: column)))
            }
        }
    }

    /// When a contact moves next.
    package var deadline: Instant? {
        var soonest: Instant?
        for contact in contacts {
            guard let move = contact.moves.first else { continue }
            soonest = min(soonest ?? move, move)
        }
        return soonest
    }

    package var hasEdges: Bool { !edges.isEmpty }

    package func isActive(_ line: Int) -> Bool { active.contains(line) }

    /// Which of these lines are active.
    package func active(among lines: [Int]) -> Set<Int> { active.filter(lines.contains) }

    /// Begins a person's action. The remaining bounces of that contact are dropped.
    package mutating func apply(_ stimulus: PanelStimulus, at now: Instant) throws(PanelError) {
        advance(to: now)
        switch stimulus {
        case .liftHook: move(try index(["hook"]), to: true, bounce, at: now)
        case .replaceHook: move(try index(["hook"]), to: false, bounce, at: now)
        case .press(let key): move(try index(["keypad.\(key)", "buttons.\(key)"]), to: true, bounce, at: now)
        case .release(let key): move(try index(["keypad.\(key)", "buttons.\(key)"]), to: false, bounce, at: now)
        case .dial(let digit, let speed): try dial(digit, pulsesPerSecond: speed, at: now)
        case .setLine(let name, let active): move(try index([name]), to: active, .none, at: now)
        }
        advance(to: now)
    }

    /// Moves the contacts that are due, in the order of their times.
    package mutating func advance(to now: Instant) {
        while let due = deadline, due <= now {
            for index in contacts.indices where contacts[index].moves.first == due {
                contacts[index].moves.removeFirst()
                contacts[index].closed.toggle()
            }
            settle(at: due)
        }
    }

    /// The panel sets an output. Only rows affect the wires.
    package mutating func drive(_ line: Int, active: Bool, at now: Instant) {
        guard let row = plan.keypad?.rows.firstIndex(of: line) else { return }
        advance(to: now)
        if active { drivenRows.insert(row) } else { drivenRows.remove(row) }
        settle(at: now)
    }

    package mutating func takeEdges() -> [LineEdge] {
        defer { edges = [] }
        return edges
    }

    private func index(_ names: [String]) throws(PanelError) -> Int {
        guard let index = contacts.firstIndex(where: { names.contains($0.name) }) else {
            throw .noSuchContact(names[0], present: contacts.map(\.name))
        }
        return index
    }

    private mutating func move(_ index: Int, to closed: Bool, _ bounce: ContactBounce, at now: Instant) {
        let moves = bounce.moves(from: now, using: &generator)
        contacts[index].moves = contacts[index].closed == closed ? [] : moves
    }

    private mutating func dial(_ digit: DTMFSymbol, pulsesPerSecond speed: Int, at now: Instant) throws(PanelError) {
        let pulse = try index(["dial.pulse"])
        guard let pulses = plan.dial?.map.pulses(of: digit) else {
            throw .noSuchContact("dial.\(digit.character)", present: contacts.map(\.name))
        }
        guard DialTurn.speeds.contains(speed) else { throw .impossibleSpeed(pulsesPerSecond: speed) }
        let turn = DialTurn(pulses: pulses, pulsesPerSecond: speed)
        turnContact(pulse, turn.pulseMoves, at: now)
        if let offNormal = contacts.firstIndex(where: { $0.name == "dial.off-normal" }) {
            turnContact(offNormal, turn.offNormalMoves, at: now)
        }
    }

    private mutating func turnContact(_ index: Int, _ moves: [Duration], at now: Instant) {
        let toRest = contacts[index].closed ? [now] : []
        contacts[index].moves = toRest + moves.flatMap { bounce.moves(from: now + $0, using: &generator) }.sorted()
    }

    /// Determines the levels from contacts and driven rows, and records the edges.
    private mutating func settle(at now: Instant) {
        var reached: Set<Int> = []
        for contact in contacts where contact.closed {
            if case .direct(let line) = contact.wire { reached.insert(line) }
        }
        if let keypad = plan.keypad { reached.formUnion(activeColumns().map { keypad.columns[$0] }) }
        for line in reached.symmetricDifference(active).sorted() {
            guard edges.count(where: { $0.line == line }) < Self.edgesKept else { continue }
            edges.append(LineEdge(line: line, active: reached.contains(line), at: now))
        }
        active = reached
    }

    /// Follows the closed keys from driven rows to columns, and from those columns to other rows.
    private func activeColumns() -> Set<Int> {
        var rows = drivenRows
        var columns: Set<Int> = []
        var grown = true
        while grown {
            grown = false
            for contact in contacts where contact.closed {
                guard case .crossing(let row, let column) = contact.wire else { continue }
                guard rows.contains(row) != columns.contains(column) else { continue }
                rows.insert(row)
                columns.insert(column)
                grown = true
            }
        }
        return columns
    }
}

extension PanelPlan.Contact.Part {
    /// Its name in a stimulus.
    fileprivate var name: String {
        switch self {
        case .hook: "hook"
        case .button(let key): "buttons.\(key.name)"
        case .input(let name): "inputs.\(name)"
        }
    }
}

/// The times at which a dial's contacts move during one turn. They are counted from when a finger takes the dial, and
/// depend on the person and on the dial's governor.
struct DialTurn {
    static let speeds = 1...25

    let pulses: Int
    let pulsesPerSecond: Int

    private var period: Duration { .seconds(1) / pulsesPerSecond }
    /// The pause before the turn, which separates it from an earlier turn that was cut short.
    private var leaves: Duration { .milliseconds(50) }
    /// The first break follows the way to the finger stop, which is longer for more pulses.
    private var firstBreak: Duration { leaves + .milliseconds(150) + .milliseconds(40) * pulses }

    /// Break, make, and so on. Each pulse is open for 63 % of the period.
    var pulseMoves: [Duration] {
        (0..<pulses).flatMap { pulse in
            let start = firstBreak + period * pulse
            return [start, start + period * 63 / 100]
        }
    }

    /// The dial leaves its rest position, and returns to it shortly after the last pulse.
    var offNormalMoves: [Duration] { [leaves, firstBreak + period * pulses + .milliseconds(40)] }
}
