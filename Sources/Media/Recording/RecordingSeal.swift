/// Encrypts recordings, so that a stolen disk reveals none. The owner of the key makes it.
public struct RecordingSeal: Sendable {
    /// The seal of one file.
    public struct Stream: Sendable {
        /// The bytes at the beginning of the file.
        let opening: [UInt8]
        /// Encrypts a piece as a chunk. Each chunk has its own number, from 0; no chunk follows the last one.
        let seal: @Sendable (_ piece: [UInt8], _ number: Int, _ isLast: Bool) -> [UInt8]

        public init(
            opening: [UInt8], seal: @escaping @Sendable (_ piece: [UInt8], _ number: Int, _ isLast: Bool) -> [UInt8]
        ) {
            (self.opening, self.seal) = (opening, seal)
        }
    }

    /// The suffix of sealed files' names, after the format's suffix.
    let suffix: String
    let begin: @Sendable () -> Stream

    public init(suffix: String, begin: @escaping @Sendable () -> Stream) {
        (self.suffix, self.begin) = (suffix, begin)
    }
}
