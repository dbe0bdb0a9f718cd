import YAML

/// Playing files into calls. Without this section no file can be played.
struct PlayingSection: YAMLReadable {
    let folder: String

    init(from section: inout YAMLSection) throws(YAMLError) {
        folder = try section.required("folder", .text("a path"))
    }
}
