import Base

/// Where and how calls are recorded.
public struct RecordingSettings: Equatable, Sendable {
    public enum Format: String, CaseIterable, Sendable {
        /// Opus in Ogg (RFC 7845), some 20 MB an hour.
        case opus
        /// Uncompressed, 16 bits at 48 kHz: 691 MB an hour.
        case wav
    }

    /// What tells everybody in the call that it is recorded.
    public struct Beep: Equatable, Sendable {
        /// From one to the next, 2 s to 5 min.
        public var period = Duration.seconds(15)
        /// Hz, 300 to 3,400.
        public var pitch: UInt16 = 1_400
        public init() {}
    }

    /// The folder of the files. It is made when it is not there.
    public var folder: String
    public var format = Format.opus
    /// Nil: nobody is told.
    public var beep: Beep? = Beep()
    /// 1 min to 6 h: of the latter not even the larger format has 4 GiB.
    public var longest = Duration.seconds(7_200)

    public init(folder: String) { self.folder = folder }

    func check() {
        precondition(!folder.isEmpty, "a folder has a name")
        precondition(longest > .zero && longest <= .seconds(6 * 3_600), "a recording has at most six hours")
        precondition(
            beep.map { $0.period >= .seconds(2) && (300...3_400).contains($0.pitch) } ?? true,
            "a beep is heard, and ends")
    }
}
