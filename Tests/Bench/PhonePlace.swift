/// A folder for phones under rehearsal, with what each of them needs.
public struct PhonePlace: Sendable {
    public let path: String
    /// The phone's program.
    public let program: String
    private let board: String
    private let wire: String

    /// - Parameters:
    /// - path: The folder; made if missing.
    /// - board: The simulated panel's board file.
    /// - wire: The ALSA plug-in that makes a sound card of two files.
    public init(path: String, program: String, board: String, wire: String) throws(TextFile.Failure) {
        (self.path, self.program, self.board, self.wire) = (path, program, board, wire)
        try TextFile.makeFolder(path)
    }

    /// A sound card in a folder of the same name.
    public func soundCard(_ name: String) throws(TextFile.Failure) -> SoundCard {
        try TextFile.makeFolder("\(path)/\(name)")
        return try SoundCard(name: name, folder: "\(path)/\(name)", library: wire)
    }

    /// A phone's folder with its vault made. Its sound card has the phone's name.
    public func phoneFolder(_ name: String, _ settings: PhoneFolder.Settings) throws -> PhoneFolder {
        let folder = try PhoneFolder(
            path: "\(path)/\(name)", board: board, card: try soundCard(name), settings: settings)
        try folder.makeVault(program: program)
        return folder
    }
}
