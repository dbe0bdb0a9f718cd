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

/// A lamp as the board file describes it.
public struct LampSpec: YAMLReadable, Equatable {
    public let output: OutputSpec
    /// In percent of the time, 1...100. Below 100 the line is switched a hundred times a second.
    public let brightness: Int

    public init(from section: inout YAMLSection) throws(YAMLError) {
        output = try OutputSpec(from: &section)
        brightness = try section.optional("brightness", .integer(in: 1...100)) ?? 100
    }
}

/// A bell as the board file describes it.
public enum BellSpec: YAMLReadable, Equatable {
    /// Active while the bell sounds; switches a supply or a ringing generator.
    case line(OutputSpec)
    /// The two inputs of an H-bridge, active in turn. They make alternating current for the coil of an old bell.
    case bridge(OutputSpec, OutputSpec, hertz: Int)

    public init(from section: inout YAMLSection) throws(YAMLError) {
        guard let forward: OutputSpec = try section.optional("forward", .section()) else {
            self = .line(try OutputSpec(from: &section))
            return
        }
        let backward: OutputSpec = try section.required("backward", .section())
        self = .bridge(forward, backward, hertz: try section.optional("frequency", .integer(in: 15...30)) ?? 25)
    }

    /// The lines, and how each switches while the bell sounds; nil: it stays on.
    var lines: [(output: OutputSpec, carrier: OutputCarrier?)] {
        switch self {
        case .line(let output): [(output, nil)]
        case .bridge(let forward, let backward, let hertz):
            zip([forward, backward], OutputCarrier.halves(hertz: hertz)).map { ($0, $1) }
        }
    }
}
