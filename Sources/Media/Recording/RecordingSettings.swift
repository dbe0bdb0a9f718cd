import Base

/// Where and how calls are recorded.
public struct RecordingSettings: Equatable, Sendable {
    public enum Format: String, CaseIterable, Sendable {
        /// Opus in Ogg (RFC 7845), some 20 MB an hour.
        case opus
        /// Uncompressed, 16 bits at 48 kHz: 691 MB an hour.
        case wav
    }

    /// The beep that announces the recording to all parties of the call.
    public struct Beep: Equatable, Sendable {
        /// The time from one beep to the next, 2 s to 5 min.
        public var period = Duration.seconds(15)
        /// The frequency in Hz, 300 to 3,400.
        public var pitch: UInt16 = 1_400
        public init() {}
    }

    /// The folder of the files. It is made if it does not exist.
    public var folder: String
    public var format = Format.opus
    /// Nil: no beep.
    public var beep: Beep? = Beep()
    /// 1 min to 6 h. In 6 h even the larger format does not reach 4 GiB.
    public var longest = Duration.seconds(7_200)

    public init(folder: String) { self.folder = folder }

    func check() {
        precondition(!folder.isEmpty, "a folder has a name")
        precondition(longest > .zero && longest <= .seconds(6 * 3_600), "a recording has at most six hours")
        precondition(
            beep.map { $0.period >= .seconds(2) && (300...3_400).contains($0.pitch) } ?? true,
            "a beep has a period of at least 2 s and a pitch of 300 to 3,400 Hz")
    }
}
