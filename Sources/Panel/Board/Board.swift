import YAML

/// A board file: the chips and lines that connect the parts of the telephone.
public struct Board: YAMLReadable, Equatable {
    /// The board's name, for people.
    public let name: String
    public let panel: PanelLayout

    public init(from section: inout YAMLSection) throws(YAMLError) {
        name = try section.required("name", .text("a name", length: 1...64))
        panel = try section.required("panel", .section())
    }

    /// Reads a board file. Blocks on the disk; a file has some hundred bytes.
    public static func load(path: String) throws(YAMLError) -> Board { try YAMLDocument(path: path).read() }
}
