import Base
import PhoneCore

/// Counts the changes of each contact of a board: how many led to an event, and how the contact bounced. A value type.
///
/// The lines of a matrix are left out, because our own scan moves them.
package struct ContactTally: Sendable {
    /// The figures of one contact.
    package struct Figures: Equatable, Sendable {
        /// How many touches left it active.
        package var activations = 0
        /// The most changes of level in one touch; 1: no bounce.
        package var mostChanges = 0
        /// The longest time from the first to the last change of a touch.
        package var longestBounce = Duration.zero

        package init(activations: Int = 0, mostChanges: Int = 0, longestBounce: Duration = .zero) {
            (self.activations, self.mostChanges, self.longestBounce) = (activations, mostChanges, longestBounce)
        }
    }

    /// Changes that follow each other closely.
    private struct Touch {
        let began: Instant
        var last: Instant
        var changes = 1
        var isActive: Bool
    }

    private struct Track {
        /// Changes closer than this belong to one touch.
        let longestPause: Duration
        /// Changes since the last event of this line.
        var untold = 0
        /// The figures of the finished touches.
        var past = Figures()
        var touch: Touch?

        /// An even number of changes ends at the level where it began, so it is not an activation.
        var figures: Figures {
            guard let touch else { return past }
            let isActivation = touch.isActive && !touch.changes.isMultiple(of: 2)
            return Figures(
                activations: past.activations + (isActivation ? 1 : 0),
                mostChanges: max(past.mostChanges, touch.changes),
                longestBounce: max(past.longestBounce, touch.last - touch.began))
        }

        mutating func moved(to active: Bool, at time: Instant) {
            untold += 1
            if var touch, time - touch.last < longestPause {
                (touch.last, touch.isActive) = (time, active)
                touch.changes += 1
                self.touch = touch
            } else {
                past = figures
                touch = Touch(began: time, last: time, isActive: active)
            }
        }
    }

    private let plan: PanelPlan
    private var tracks: [Int: Track] = [:]
    /// The contacts of the table.
    private var contacts: [(name: String, line: Int)] = []

    package init(_ board: Board) {
        plan = PanelPlan(board.panel)
        for contact in plan.contacts {
            add(contact.part.name, contact.line, pause: max(contact.debounce, LineTrack.longestPause))
        }
        if let dial = plan.dial {
            // Between two pulses a fast dial rests hardly longer than `LineTrack.longestPause`. So its debounce time is
            // the limit.
            add("dial pulse", dial.pulse, pause: dial.timing.debounce)
            if let line = dial.offNormal { add("dial off-normal", line, pause: dial.timing.debounce) }
        }
        // A knob's contacts change when it turns, and that cannot be told from bouncing.
        for line in plan.encoder.map({ [$0.leading, $0.trailing] }) ?? [] {
            tracks[line] = Track(longestPause: .zero)
        }
    }

    package mutating func moved(_ edges: [LineEdge]) {
        for edge in edges { tracks[edge.line]?.moved(to: edge.active, at: edge.at) }
    }

    /// - Returns: The changes of level of the event's lines since their last event; 0 for a matrix.
    package mutating func told(_ event: PanelEvent) -> Int {
        lines(of: event).reduce(0) { sum, line in
            defer { tracks[line]?.untold = 0 }
            return sum + (tracks[line]?.untold ?? 0)
        }
    }

    /// The figures of all contacts, by their names.
    package var figures: [(name: String, figures: Figures)] {
        contacts.map { ($0.name, tracks[$0.line]?.figures ?? Figures()) }
    }

    private mutating func add(_ name: String, _ line: Int, pause: Duration) {
        contacts.append((name, line))
        tracks[line] = Track(longestPause: pause)
    }

    private func lines(of event: PanelEvent) -> [Int] {
        switch event {
        case .hook: line(of: .hook)
        case .input(let name, active: _): line(of: .input(name))
        case .pressed(let key), .released(let key): line(of: .button(key)) + others(of: key)
        case .hookFound, .failed: []
        }
    }

    private func line(of part: PanelPlan.Contact.Part) -> [Int] {
        plan.contacts.first { $0.part == part }.map { [$0.line] } ?? []
    }

    /// The keys of a knob and of a dial have no contact.
    private func others(of key: Key) -> [Int] {
        if plan.keypad?.keys.contains(where: { $0.contains(key) }) == true { return [] }
        return switch key {
        case .volumeUp, .volumeDown: plan.encoder.map { [$0.leading, $0.trailing] } ?? []
        case .digit: plan.dial.map { [$0.pulse] } ?? []
        default: []
        }
    }
}

extension ContactTally {
    /// A table with a row for each direct contact, below a header; empty: there is no such contact.
    package var table: [String] {
        guard !contacts.isEmpty else { return [] }
        let rows = figures.map { name, figures in
            let bounce = "\(figures.longestBounce.nanoseconds / 1_000) µs"
            return [name, "\(figures.activations)", "\(figures.mostChanges)", bounce]
        }
        let all = [["", "times active", "most changes of level", "longest bounce"]] + rows
        let widths = all[0].indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let gap = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + gap : gap + cell.0
            }.joined(separator: "  ")
        }
    }
}

extension PanelPlan.Contact.Part {
    fileprivate var name: String {
        switch self {
        case .hook: "hook"
        case .button(let key): "key \(key.name)"
        case .input(let name): "input \(name)"
        }
    }
}
