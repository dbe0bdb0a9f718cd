import YAML

/// The line of a lamp, of the bell or of a relay, as the board file describes it.
public struct OutputSpec: YAMLReadable, Equatable {
    /// The levels to which the chip drives a line. At the other level the chip releases the line, and the circuit
    /// decides.
    public enum Drive: String, CaseIterable, Sendable {
        /// Both levels.
        case pushPull = "push-pull"
        /// Low only.
        case openDrain = "open-drain"
        /// High only.
        case openSource = "open-source"
    }

    public let line: LineSpec
    public let drive: Drive

    public init(from section: inout YAMLSection) throws(YAMLError) {
        line = try LineSpec(from: &section)
        drive = try section.optional("drive", .choice()) ?? .pushPull
    }
}

extension LineSpec.Polarity {
    /// The drive for a line that is driven while it is active and released otherwise. Two such lines may be connected,
    /// as keys connect the rows of a matrix.
    package var driveWhileActive: OutputSpec.Drive {
        switch self {
        case .activeHigh: .openSource
        case .activeLow: .openDrain
        }
    }
}
