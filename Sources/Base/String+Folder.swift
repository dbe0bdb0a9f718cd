extension String {
    /// The folder of the file that this path names, with the closing slash. An empty text means the working directory.
    public var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// The folder as a path that can be opened: `.` for the working directory.
    public var openedFolder: String { folder.isEmpty ? "." : folder }
}
