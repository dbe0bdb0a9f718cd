import Base

/// Decides when to scan a key matrix, and which keys are pressed.
///
///     idle ──a column becomes active──► scanning, every 5 ms ──nothing pressed, all at rest──► idle
///
/// While idle, all rows are driven, so that any key makes an edge on its column. No scan runs until then.
package struct MatrixScanner: Equatable, Sendable {
    package struct Change: Equatable, Sendable {
        package let row: Int
        package let column: Int
        package let pressed: Bool
    }

    private enum Phase: Equatable, Sendable {
        case idle
        case scanning(next: Instant)
    }

    private let rows: Int
    private let columns: Int
    private let interval: Duration
    private var keys: [Debouncer]
    private var phase = Phase.idle

    package init(rows: Int, columns: Int, timing: MatrixTiming) {
        self.rows = rows
        self.columns = columns
        interval = timing.scan
        let key = Debouncer(level: false, activation: timing.press, deactivation: timing.release)
        keys = Array(repeating: key, count: rows * columns)
    }

    /// Whether to watch the columns for a first key.
    package var isIdle: Bool { phase == .idle }

    /// When to scan next; nil at idle.
    package var deadline: Instant? {
        switch phase {
        case .idle: nil
        case .scanning(let next): next
        }
    }

    /// A column is active while all rows are driven, so some key is down.
    package mutating func wakeUp(at now: Instant) {
        switch phase {
        case .idle: phase = .scanning(next: now)
        case .scanning: break
        }
    }

    /// Takes the result of a scan.
    ///
    /// A doubtful crossing keeps its state: a key that was pressed before stays pressed, and a ghost is not pressed.
    package mutating func scanned(_ image: MatrixImage, at now: Instant) -> [Change] {
        precondition(image.rows == rows && image.columns == columns, "the image is of another matrix")
        var changes: [Change] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let index = row * columns + column
                let seen = image.isDoubtful(row: row, column: column) ? keys[index].level : image[row, column]
                if let pressed = keys[index].sample(seen, at: now) {
                    changes.append(Change(row: row, column: column, pressed: pressed))
                }
            }
        }
        let isQuiet = image.isEmpty && keys.allSatisfy { $0.isAtRest && !$0.level }
        phase = isQuiet ? .idle : .scanning(next: now + interval)
        return changes
    }
}

/// The result of one scan of a key matrix: the active columns for each driven row.
package struct MatrixImage: Equatable, Sendable {
    package let rows: Int
    package let columns: Int
    private var closed: [Bool]

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        closed = Array(repeating: false, count: rows * columns)
    }

    package subscript(row: Int, column: Int) -> Bool {
        get { closed[row * columns + column] }
        set { closed[row * columns + column] = newValue }
    }

    package var isEmpty: Bool { !closed.contains(true) }

    /// Whether a crossing may be a ghost, which only appears closed.
    ///
    /// Without diodes, three pressed keys at the corners of a rectangle also connect the fourth corner. All four look
    /// alike, so none of them can be accepted.
    package func isDoubtful(row: Int, column: Int) -> Bool {
        guard self[row, column] else { return false }
        return (0..<rows).contains { other in
            other != row && self[other, column]
                && (0..<columns).contains { $0 != column && self[row, $0] && self[other, $0] }
        }
    }
}
