import YAML

/// A rotary encoder for the volume: a knob with two contacts that close one after the other.
public struct EncoderSpec: YAMLReadable, Equatable {
    /// The contact that moves first when the knob is turned clockwise.
    public let leading: LineSpec
    public let trailing: LineSpec
    /// Contact changes per detent of the knob, both contacts together.
    public let changes: Int

    public init(from section: inout YAMLSection) throws(YAMLError) {
        leading = try section.required("a", .section())
        trailing = try section.required("b", .section())
        changes = try section.optional("changes", .choice([("1", 1), ("2", 2), ("4", 4)])) ?? 4
    }
}
