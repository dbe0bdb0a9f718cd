import Base

/// The rows and columns of a key matrix, found from the two lines that each key connects. A value type.
///
/// A matrix has two sides: rows and columns. Each key connects a line of one side with a line of the other. A key whose
/// lines are already on the same side is rejected. With diodes, the lines that drive others are the rows, because we
/// drive rows. Without diodes, neighbouring keys of the telephone share a row.
package struct LearntMatrix: Equatable, Sendable {
    /// Two connected lines, by their numbers.
    package struct Crossing: Hashable, Sendable {
        package let first: UInt32
        package let second: UInt32
        /// Whether driving moves only the second line, not the first.
        package let isDirected: Bool

        /// - Parameter isDirected: Whether a diode lets only `first` drive. Without a diode the order means nothing.
        package init(_ first: UInt32, _ second: UInt32, isDirected: Bool = false) {
            self.first = isDirected ? first : min(first, second)
            self.second = isDirected ? second : max(first, second)
            self.isDirected = isDirected
        }

        fileprivate var lines: Set<UInt32> { [first, second] }
    }

    /// Why a key cannot be where it was pressed, as text for people.
    package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    private var keys: [(name: String, crossing: Crossing)] = []
    /// Groups of lines that keys connect, each with its two sides.
    private var groups: [(one: Set<UInt32>, other: Set<UInt32>)] = []

    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    /// Every line of the matrix.
    package var lines: Set<UInt32> { keys.reduce(into: []) { $0.formUnion($1.crossing.lines) } }

    package mutating func add(_ name: String, _ crossing: Crossing) throws(Refusal) {
        if let other = keys.first(where: { $0.crossing.lines == crossing.lines }) {
            throw Refusal("this is key \(other.name)")
        }
        let (first, second) = (crossing.first, crossing.second)
        let isOnOneSide = groups.contains {
            $0.one.isSuperset(of: [first, second]) || $0.other.isSuperset(of: [first, second])
        }
        if isOnOneSide {
            throw Refusal("this key connects two rows, or two columns; did you press exactly one key?")
        }
        var merged: (one: Set<UInt32>, other: Set<UInt32>) = ([first], [second])
        for group in groups where !group.one.union(group.other).isDisjoint(with: [first, second]) {
            let isTurned = group.one.contains(second) || group.other.contains(first)
            merged.one.formUnion(isTurned ? group.other : group.one)
            merged.other.formUnion(isTurned ? group.one : group.other)
        }
        groups.removeAll { !$0.one.union($0.other).isDisjoint(with: [first, second]) }
        groups.append(merged)
        keys.append((name, crossing))
    }

    /// The lines of the rows and of the columns, in the order of the keys that use them, and the keys by row.
    package var table: (rows: [UInt32], columns: [UInt32], keys: [[String?]]) {
        let rowLines = groups.reduce(into: Set<UInt32>()) { $0.formUnion(rowSide(of: $1)) }
        var (rows, columns): ([UInt32], [UInt32]) = ([], [])
        for key in keys {
            for line in key.crossing.lines.sorted() where !rows.contains(line) && !columns.contains(line) {
                if rowLines.contains(line) { rows.append(line) } else { columns.append(line) }
            }
        }
        let names = rows.map { row in
            columns.map { column in keys.first { $0.crossing.lines == [row, column] }?.name }
        }
        return (rows, columns, names)
    }

    private func rowSide(of group: (one: Set<UInt32>, other: Set<UInt32>)) -> Set<UInt32> {
        let crossings = keys.map(\.crossing).filter { group.one.union(group.other).contains($0.first) }
        if let driven = crossings.first(where: \.isDirected)?.first {
            return group.one.contains(driven) ? group.one : group.other
        }
        for (key, next) in zip(crossings, crossings.dropFirst()) {
            guard let shared = key.lines.intersection(next.lines).first else { continue }
            return group.one.contains(shared) ? group.one : group.other
        }
        return group.one
    }

    package static func == (left: LearntMatrix, right: LearntMatrix) -> Bool {
        left.keys.elementsEqual(right.keys) { $0 == $1 }
    }
}

/// Finds the two lines of a matrix that a pressed key connects: drives one line at a time and reads all others.
///
/// A line is driven opposite to the bias, and only while it is probed; otherwise it is an input.
package struct MatrixProbe {
    /// How long the wires take to settle.
    private static let settle = Duration.milliseconds(1)

    private let backend: any PanelBackend
    private let chip: String
    private let lines: [GPIOLine]
    private let bias: LineSpec.Bias

    package init(_ lines: [GPIOLine], of chip: String, bias: LineSpec.Bias, backend: any PanelBackend) {
        (self.lines, self.chip, self.bias, self.backend) = (lines, chip, bias, backend)
    }

    /// The polarity of the matrix for the board file.
    package static func polarity(_ bias: LineSpec.Bias) -> LineSpec.Polarity {
        bias == .pullDown ? .activeHigh : .activeLow
    }

    /// Drives each line in turn and reads the others. For each driven line it takes all lines and releases them again.
    /// - Parameter pause: Waits for the wires to settle.
    /// - Returns: All pairs of lines that are connected now.
    package func crossings(pause: (Duration) throws -> Void) throws -> Set<LearntMatrix.Crossing> {
        var reached: Set<[UInt32]> = []
        for driven in lines.indices {
            try backend.open(requests(driving: driven))
            defer { backend.close() }
            try backend.set(driven, active: true)
            try pause(Self.settle)
            for read in lines.indices where read != driven {
                if try backend.isActive(read) { reached.insert([lines[driven].offset, lines[read].offset]) }
            }
            try backend.set(driven, active: false)
        }
        return Set(
            reached.map { pair in
                LearntMatrix.Crossing(pair[0], pair[1], isDirected: !reached.contains([pair[1], pair[0]]))
            })
    }

    private func requests(driving driven: Int) -> [LineRequest] {
        let polarity = Self.polarity(bias)
        return lines.enumerated().map { index, line in
            LineRequest(
                key: "learn", address: LineAddress(chip: chip, line: .offset(line.offset)),
                role: index == driven ? .output(polarity.driveWhileActive) : .input, polarity: polarity,
                bias: index == driven ? .asIs : bias)
        }
    }
}
