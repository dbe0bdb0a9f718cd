/// How recordings are made unreadable for whoever takes the disk. Whoever owns a key makes one.
public struct RecordingSeal: Sendable {
    /// One file's.
    public struct Stream: Sendable {
        /// What stands at the beginning of the file.
        let opening: [UInt8]
        /// Makes a chunk of a piece. Each has a number of its own, from 0; nothing follows the last one.
        let seal: @Sendable (_ piece: [UInt8], _ number: Int, _ isLast: Bool) -> [UInt8]

        public init(
            opening: [UInt8], seal: @escaping @Sendable (_ piece: [UInt8], _ number: Int, _ isLast: Bool) -> [UInt8]
        ) {
            (self.opening, self.seal) = (opening, seal)
        }
    }

    /// What the names of sealed files end in, behind their own suffix.
    let suffix: String
    let begin: @Sendable () -> Stream

    public init(suffix: String, begin: @escaping @Sendable () -> Stream) {
        (self.suffix, self.begin) = (suffix, begin)
    }
}
