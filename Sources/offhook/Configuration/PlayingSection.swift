import YAML

/// Files into calls. Without this section nobody can play one.
struct PlayingSection: YAMLReadable {
    let folder: String

    init(from section: inout YAMLSection) throws(YAMLError) {
        folder = try section.required("folder", .text("a path"))
    }
}
