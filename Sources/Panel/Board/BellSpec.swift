import YAML

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
