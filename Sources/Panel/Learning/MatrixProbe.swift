import Base

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
