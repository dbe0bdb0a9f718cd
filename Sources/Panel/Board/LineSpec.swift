import YAML

/// A line of a chip: the name from the board's manufacturer, or its number.
public enum LineSelector: Hashable, Sendable, CustomStringConvertible {
    case name(String)
    case offset(UInt32)

    public init(_ text: String) { self = UInt32(text).map { .offset($0) } ?? .name(text) }

    public var description: String {
        switch self {
        case .name(let name): "\"\(name)\""
        case .offset(let offset): "\(offset)"
        }
    }
}

/// A line as the board file describes it.
public struct LineSpec: YAMLReadable, Equatable {
    public enum Polarity: String, CaseIterable, Sendable {
        case activeHigh = "active-high"
        case activeLow = "active-low"
    }

    /// The bias that sets an input's level while no contact does.
    public enum Bias: String, CaseIterable, Sendable {
        case asIs = "as-is"
        case none
        case pullUp = "pull-up"
        case pullDown = "pull-down"
    }

    /// The path of keys in the board file, such as `panel.hook`. Messages use it to name the line.
    public let key: String
    public let line: LineSelector
    /// The line's chip. Nil: the panel's chip.
    public let chip: String?
    public let polarity: Polarity
    public let bias: Bias

    public init(from section: inout YAMLSection) throws(YAMLError) {
        key = section.path
        line = try section.required("line", Self.selectorShape)
        chip = try section.optional("chip", Self.chipShape)
        polarity = try section.optional("polarity", .choice()) ?? .activeHigh
        bias = try section.optional("bias", .choice()) ?? .asIs
    }

    init(key: String, line: LineSelector, chip: String?, polarity: Polarity, bias: Bias) {
        self.key = key
        self.line = line
        self.chip = chip
        self.polarity = polarity
        self.bias = bias
    }

    /// One chip, or a list of several boards' chips: the first that exists on this machine counts.
    static let chipShape = YAMLShape.oneOf(
        word: oneChipShape, list: YAMLShape.list(of: oneChipShape, count: 2...8).map { $0.joined(separator: ", ") })
    private static let oneChipShape = YAMLShape.text("a chip's label or path", length: 1...31)
    static let selectorShape = YAMLShape.scalar("a line's name or number") {
        (1...31).contains($0.utf8.count) ? LineSelector($0) : nil
    }
}
