import YAML

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
