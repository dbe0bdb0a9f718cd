extension String {
    /// The folder of the file that this path names, with the closing slash. Empty: the working directory.
    public var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// The same, as it is opened and asked for.
    public var openedFolder: String { folder.isEmpty ? "." : folder }
}
