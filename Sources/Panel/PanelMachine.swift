import Base
import PhoneCore

/// Everything the panel decides, as a value: from edges and levels to events, from effects to levels.
///
/// It knows the time only as an argument and touches no line; `PanelLoop` does, and so do tests in simulated time.
package struct PanelMachine: Sendable {
    package let plan: PanelPlan
    private var hook: Debouncer?
    private var buttons: [Debouncer]
    private var scanner: MatrixScanner?
    private var patterns: [PanelOutput: OutputPattern] = [:]

    /// - Parameter hookIsActive: The level of the hook's line at the start. It is believed as it is; a bounce at that very
    ///   moment is corrected by a `hook` event later.
    package init(_ plan: PanelPlan, hookIsActive: Bool) {
        self.plan = plan
        hook = plan.hook.map {
            Debouncer(level: hookIsActive, activation: $0.debounce, deactivation: $0.debounce)
        }
        // A button that is held at the start is pressed a moment later: each release has its press.
        buttons = plan.buttons.map {
            Debouncer(level: false, activation: $0.debounce, deactivation: $0.debounce)
        }
        scanner = plan.keypad.map {
            MatrixScanner(rows: $0.rows.count, columns: $0.columns.count, timing: $0.timing)
        }
    }

    package var hookPosition: HookPosition? { hook.map { $0.level ? .offHook : .onHook } }

    /// When to look again at the latest, though no edge comes.
    package func deadline(after now: Instant) -> Instant? {
        let contacts = buttons.map(\.deadline) + [hook?.deadline, scanner?.deadline]
        let outputs = patterns.values.map { $0.nextChange(after: now) }
        return (contacts + outputs).compactMap { $0 }.min()
    }

    /// The inputs whose levels `looked` needs: those of a matrix only while it waits for a first key.
    package var watchedLines: [Int] {
        let columns = scanner?.isIdle == true ? plan.keypad?.columns ?? [] : []
        return (plan.hook.map { [$0.line] } ?? []) + plan.buttons.map(\.line) + columns
    }

    /// Takes what happened and what is.
    ///
    /// The levels are read after the edges, every time. So an edge that the kernel lost, or a burst of which it kept only
    /// the beginning, needs no treatment of its own.
    /// - Parameter active: Which of `watchedLines` are active now.
    package mutating func looked(edges: [LineEdge], active: Set<Int>, at now: Instant) -> [PanelEvent] {
        var events: [PanelEvent] = []
        for edge in edges {
            events += changes { $0 == edge.line ? $1.edge(to: edge.active, at: edge.at) : nil }
        }
        events += changes { $1.sample(active.contains($0), at: now) }
        if let columns = plan.keypad?.columns, columns.contains(where: active.contains) { scanner?.wakeUp(at: now) }
        return events
    }

    /// Whether the matrix has to be scanned now.
    package func wantsScan(at now: Instant) -> Bool { scanner?.deadline.map { $0 <= now } ?? false }

    package mutating func scanned(_ image: MatrixImage, at now: Instant) -> [PanelEvent] {
        guard let keypad = plan.keypad else { return [] }
        return (scanner?.scanned(image, at: now) ?? []).compactMap { change in
            keypad.keys[change.row][change.column].map { change.pressed ? .pressed($0) : .released($0) }
        }
    }

    package mutating func perform(_ effect: PanelEffect, at now: Instant) {
        switch effect {
        case .lamp(let lamp, let pattern): order(OutputPattern(pattern, at: now), on: .lamp(lamp))
        case .ringer(let cadence): order(OutputPattern(cadence, at: now), on: .ringer)
        }
    }

    /// Which of the plan's outputs are to be on.
    package func isOn(_ part: PanelOutput, at now: Instant) -> Bool { patterns[part]?.isOn(at: now) ?? false }

    /// An order that repeats the last one does not begin its pattern anew.
    private mutating func order(_ pattern: OutputPattern, on part: PanelOutput) {
        guard patterns[part]?.looksLike(pattern) != true else { return }
        patterns[part] = pattern
    }

    /// Offers every direct contact, with its line, to `update`, and tells what changed by it.
    private mutating func changes(_ update: (_ line: Int, inout Debouncer) -> Bool?) -> [PanelEvent] {
        var events: [PanelEvent] = []
        if let line = plan.hook?.line, var contact = hook {
            if let lifted = update(line, &contact) { events.append(.hook(lifted ? .offHook : .onHook)) }
            hook = contact
        }
        for (index, button) in plan.buttons.enumerated() {
            if let pressed = update(button.line, &buttons[index]) {
                events.append(pressed ? .pressed(button.key) : .released(button.key))
            }
        }
        return events
    }
}
