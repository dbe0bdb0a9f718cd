/// The reference of all keys of the configuration and of board files: the source of `docs/user/configuration`.
public enum ConfigurationReference {
    /// The sections of the configuration, and what belongs to them.
    private static let sections: [ConfigurationPage] = [
        .sip, .accounts, .calls, .sound, .media, .panel, .boardFile, .relays, .alarms, .paging, .network, .backend,
        .callerInfo, .vault, .control, .onEvent,
    ]

    public static let pages = [ConfigurationPage.index] + sections

    /// The pages' files: their names and what is in them.
    public static var files: [(name: String, text: String)] {
        pages.map { page in (page.file, page.text.replacing(place, with: list)) }
    }

    /// Where the first page lists the others.
    private static let place = "<!-- pages -->"

    private static var list: String {
        sections.reduce("## Sections\n\n| page | decides |\n|---|---|") { text, page in
            text + "\n| [\(page.title)](\(page.file)) | \(page.summary) |"
        }
    }
}
