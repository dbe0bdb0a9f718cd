import YAML

/// A board file: which lines of which chips the parts of the telephone hang on.
public struct Board: YAMLReadable, Equatable {
    /// What people call the board.
    public let name: String
    public let panel: PanelLayout

    public init(from section: inout YAMLSection) throws(YAMLError) {
        name = try section.required("name", .text("a name", length: 1...64))
        panel = try section.required("panel", .section())
    }

    /// Reads a board file. Blocks on the disk; a file is some hundred bytes.
    public static func load(path: String) throws(YAMLError) -> Board { try YAMLDocument(path: path).read() }
}
