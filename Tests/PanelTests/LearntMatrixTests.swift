import Base
import Panel
import PhoneCore
import Testing

@Suite("Learnt rows and columns of a matrix")
struct LearntMatrixTests {
    private typealias Crossing = LearntMatrix.Crossing

    private static let digits = "123456789*0#".map(String.init)

    /// - Parameter shuffled: The lines of rows and columns, by a seed.
    @Test("twelve keys on any lines give the telephone's rows and columns", arguments: 1...20 as ClosedRange<UInt64>)
    func twelveKeysOnAnyLinesGiveTelephoneRowsAndColumns(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lines = (0..<7).map { UInt32($0) }.shuffled(using: &generator)
        var matrix = LearntMatrix()
        for (index, key) in Self.digits.enumerated() {
            let (row, column) = (lines[index / 3], lines[4 + index % 3])
            try matrix.add(key, Bool.random(using: &generator) ? Crossing(row, column) : Crossing(column, row))
        }
        let table = matrix.table
        #expect(table.rows == Array(lines[..<4]) && table.columns.sorted() == lines[4...].sorted())
        for (index, key) in Self.digits.enumerated() {
            let column = try #require(table.columns.firstIndex(of: lines[4 + index % 3]))
            #expect(table.keys[index / 3][column] == key)
        }
        #expect(matrix.lines == Set(lines))
    }

    @Test("a diode decides which line is the row, against the order of the keys")
    func diodeDecidesWhichLineIsRowAgainstOrderOfKeys() throws {
        var matrix = LearntMatrix()
        try matrix.add("1", Crossing(9, 3, isDirected: true))
        try matrix.add("2", Crossing(8, 3, isDirected: true))
        #expect(matrix.table.rows == [9, 8] && matrix.table.columns == [3])
        #expect(matrix.table.keys == [["1"], ["2"]])
    }

    @Test("missing keys leave gaps, and separate groups form one matrix")
    func missingKeysLeaveGapsAndSeparateGroupsFormOneMatrix() throws {
        var matrix = LearntMatrix()
        #expect(matrix.isEmpty)
        for (key, crossing) in [
            ("1", Crossing(1, 5)), ("2", Crossing(1, 6)), ("4", Crossing(2, 7)), ("5", Crossing(2, 8)),
        ] {
            try matrix.add(key, crossing)
        }
        try matrix.add("hold", Crossing(2, 6))
        #expect(matrix.table.rows == [1, 2] && matrix.table.columns == [5, 6, 7, 8])
        #expect(matrix.table.keys == [["1", "2", nil, nil], [nil, "hold", "4", "5"]])
    }

    @Test("a repeated key, and one that connects two rows, are rejected without a change")
    func repeatedKeyAndOneThatConnectsTwoRows() throws {
        var matrix = LearntMatrix()
        try matrix.add("1", Crossing(1, 5))
        try matrix.add("2", Crossing(1, 6))
        let before = matrix
        #expect(throws: LearntMatrix.Refusal("this is key 2")) { try matrix.add("3", Crossing(6, 1)) }
        #expect(throws: LearntMatrix.Refusal.self) { try matrix.add("3", Crossing(5, 6)) }
        #expect(matrix == before)
    }
}

@Suite("Matrix probe")
struct MatrixProbeTests {
    @Test(
        "a pressed key of the simulated matrix gives its two lines; none gives none", arguments: [nil, "1", "5", "8"])
    func pressedKeyOfSimulatedMatrixGivesItsTwoLinesNoneGivesNone(key: String?) throws {
        let board = try Boards.small()
        let inner = SimulatedBackend(board: board, bounce: .none)
        if let key { try inner.stimulate(.press(key)) }
        let backend = MatrixOnly(inner)
        // Rows are lines 2 to 4 of the chip, columns 5 to 7; only a driven row moves anything in the simulation.
        let lines = (2...7).map { GPIOLine(offset: $0, name: "") }
        let seen = try MatrixProbe(lines, of: "c", bias: .pullUp, backend: backend).crossings { _ in }
        let place = key.flatMap { UInt32($0) }.map { $0 - 1 }
        #expect(seen == Set(place.map { [.init(2 + $0 / 3, 5 + $0 % 3, isDirected: true)] } ?? []))
    }

    /// The matrix of `Boards.small`, whose lines are 1 to 6 of its panel, opened as the probe does.
    private final class MatrixOnly: PanelBackend {
        private let inner: SimulatedBackend

        init(_ inner: SimulatedBackend) { self.inner = inner }

        func open(_ lines: [LineRequest]) throws(PanelError) {
            guard lines.map(\.role).filter({ $0 != .input }) == [.output(.openDrain)] else {
                throw .broken("not just one line is driven, and only low")
            }
        }

        func isActive(_ line: Int) throws(PanelError) -> Bool { try inner.isActive(line + 1) }
        func set(_ line: Int, active: Bool) throws(PanelError) { try inner.set(line + 1, active: active) }
        func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] { [] }
        func wake() {}
        func close() {}
    }
}
