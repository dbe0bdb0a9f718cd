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
