import Base
import PhoneCore

/// All decisions of the panel, as a value type: from edges and levels to events, and from effects to levels.
///
/// It gets the time as an argument and touches no line. `PanelLoop` does that, and tests do it in simulated time.
package struct PanelMachine: Sendable {
    package let plan: PanelPlan
    /// The debouncers, in the order of the plan's contacts.
    private var contacts: [Debouncer]
    private var scanner: MatrixScanner?
    var dial: RotaryDial?
    var encoder: RotaryEncoder?
    private var patterns: [PanelOutput: OutputPattern] = [:]
    private var hasLooked = false

    /// - Parameter hookIsActive: The level of the hook's line at the start, which is accepted as it is. If the contact
    ///   was bouncing, a later `hook` event corrects it.
    package init(_ plan: PanelPlan, hookIsActive: Bool) {
        self.plan = plan
        // A button held at the start counts as pressed a moment later, so that each release has its press. Inputs that
        // are active at the start are reported in the same way.
        contacts = plan.contacts.map {
            Debouncer(
                level: $0.part == .hook && hookIsActive, activation: $0.debounce, deactivation: $0.debounce)
        }
        scanner = plan.keypad.map {
            MatrixScanner(rows: $0.rows.count, columns: $0.columns.count, timing: $0.timing)
        }
        dial = plan.dial.map { RotaryDial(timing: $0.timing, map: $0.map, hasOffNormal: $0.offNormal != nil) }
    }

    package var hookPosition: HookPosition? {
        zip(plan.contacts, contacts).first { $0.0.part == .hook }.map { $0.1.level ? .offHook : .onHook }
    }

    /// When to look again at the latest, even without an edge. The first look is immediate.
    package func deadline(after now: Instant) -> Instant? {
        guard hasLooked else { return now }
        let inputs = contacts.map(\.deadline) + [scanner?.deadline, dial?.deadline]
        let outputs = plan.outputs.map { patterns[$0.part]?.nextChange(after: now, carrier: $0.carrier) }
        return (inputs + outputs).compactMap { $0 }.min()
    }

    /// The inputs whose levels `looked` needs. A matrix's columns are included only while it waits for a first key.
    package var watchedLines: [Int] {
        let columns = scanner?.isIdle == true ? plan.keypad?.columns ?? [] : []
        let dial = [plan.dial?.pulse, plan.dial?.offNormal].compactMap { $0 }
        let encoder = [plan.encoder?.leading, plan.encoder?.trailing].compactMap { $0 }
        return plan.contacts.map(\.line) + dial + encoder + columns
    }

    /// Takes the edges since the last call, and the current levels.
    ///
    /// The levels are always read after the edges. So a lost edge, or a burst of which the kernel kept only the
    /// beginning, needs no special treatment.
    /// - Parameter active: Which of `watchedLines` are active now.
    package mutating func looked(edges: [LineEdge], active: Set<Int>, at now: Instant) -> [PanelEvent] {
        if !hasLooked { findEncoder(active) }
        hasLooked = true
        var events: [PanelEvent] = []
        for edge in edges {
            events += changes { $0 == edge.line ? $1.edge(to: edge.active, at: edge.at) : nil }
        }
        events += changes { $1.sample(active.contains($0), at: now) }
        events += dialled(edges, active: active, at: now)
        events += turned(edges, active: active)
        if let columns = plan.keypad?.columns, columns.contains(where: active.contains) { scanner?.wakeUp(at: now) }
        return events
    }

    /// Whether to scan the matrix now.
    package func wantsScan(at now: Instant) -> Bool { scanner?.deadline.map { $0 <= now } ?? false }

    package mutating func scanned(_ image: MatrixImage, at now: Instant) -> [PanelEvent] {
        guard let keypad = plan.keypad else { return [] }
        return (scanner?.scanned(image, at: now) ?? []).compactMap { change in
            keypad.keys[change.row][change.column].map { change.pressed ? .pressed($0) : .released($0) }
        }
    }

    /// An order that repeats the last one does not restart its pattern.
    package mutating func perform(_ effect: PanelEffect, at now: Instant) {
        let pattern = OutputPattern(effect, at: now)
        guard patterns[effect.part]?.looksLike(pattern) != true else { return }
        patterns[effect.part] = pattern
    }

    /// Whether the line of this output must be active.
    package func isOn(_ output: PanelPlan.Output, at now: Instant) -> Bool {
        patterns[output.part]?.isOn(at: now, carrier: output.carrier) ?? false
    }

    /// Passes every direct contact, with its line, to `update`, and returns the events for those that changed.
    private mutating func changes(_ update: (_ line: Int, inout Debouncer) -> Bool?) -> [PanelEvent] {
        plan.contacts.indices.compactMap { index in
            let contact = plan.contacts[index]
            return update(contact.line, &contacts[index]).map { contact.part.event(active: $0) }
        }
    }
}

extension PanelPlan.Contact.Part {
    fileprivate func event(active: Bool) -> PanelEvent {
        switch self {
        case .hook: .hook(active ? .offHook : .onHook)
        case .button(let key): active ? .pressed(key) : .released(key)
        case .input(let name): .input(name, active: active)
        }
    }
}

extension PanelMachine {
    /// The fewest edges of one line that a kernel keeps. If this many come at once, others may have been lost.
    static let edgesKept = 16

    /// Passes the dial's edges and levels to it. A digit becomes a key that is pressed and released at once.
    mutating func dialled(_ edges: [LineEdge], active: Set<Int>, at now: Instant) -> [PanelEvent] {
        guard let lines = plan.dial else { return [] }
        let edges = edges.filter { $0.line == lines.pulse || $0.line == lines.offNormal }
        let isBroken = active.contains(lines.pulse)
        let isTurned = lines.offNormal.map(active.contains) ?? false
        // If all edges came within less than a pulse, `looked` finds a loss by the levels.
        if let first = edges.first, edges.count >= Self.edgesKept, now - first.at >= lines.timing.shortestRest {
            dial?.lostEdges(isBroken: isBroken, isTurned: isTurned, at: now)
            return []
        }
        var digits: [DTMFSymbol] = []
        for edge in edges {
            let contact = edge.line == lines.pulse ? RotaryDial.Contact.pulse : .offNormal
            digits += dial?.edge(of: contact, to: edge.active, at: edge.at) ?? []
        }
        digits += dial?.looked(isBroken: isBroken, isTurned: isTurned, at: now) ?? []
        return digits.flatMap { [.pressed(.digit($0)), .released(.digit($0))] }
    }

    /// The number of dial turns that gave no digit.
    package var dialFaults: Int { dial?.faults ?? 0 }
}

extension PanelMachine {
    /// Takes the levels at the start as they are: a knob that rests with closed contacts was not turned.
    mutating func findEncoder(_ active: Set<Int>) {
        encoder = plan.encoder.map {
            RotaryEncoder(
                changes: $0.changes, leading: active.contains($0.leading), trailing: active.contains($0.trailing))
        }
    }

    /// Passes the encoder's edges and levels to it. Each detent becomes a volume key that is pressed and released at
    /// once.
    mutating func turned(_ edges: [LineEdge], active: Set<Int>) -> [PanelEvent] {
        guard let lines = plan.encoder, var knob = encoder else { return [] }
        var turns: [RotaryEncoder.Direction?] = []
        for edge in edges where edge.line == lines.leading || edge.line == lines.trailing {
            let isLeading = edge.line == lines.leading
            turns.append(
                knob.moved(
                    leading: isLeading ? edge.active : knob.leading,
                    trailing: isLeading ? knob.trailing : edge.active))
        }
        // The levels correct errors from lost edges.
        turns.append(knob.moved(leading: active.contains(lines.leading), trailing: active.contains(lines.trailing)))
        encoder = knob
        return turns.compactMap { $0 }.flatMap { turn -> [PanelEvent] in
            let key: Key = turn == .clockwise ? .volumeUp : .volumeDown
            return [.pressed(key), .released(key)]
        }
    }
}
