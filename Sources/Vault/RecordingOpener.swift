import Base

/// Reads a sealed recording as its bytes come, and gives of them what is proven to be as it was written.
///
/// Total: any bytes give pieces, an end or a fault. Keeps one chunk in memory.
public struct RecordingOpener {
    /// How a file ends that was not changed.
    public enum End: Equatable, Sendable {
        case whole
        /// Its writer did not finish it, or somebody cut it. So many bytes behind the last whole chunk are of no use.
        case cutOff(bytes: Int)
    }

    private let key: VaultKey
    private var recording: SealedRecording?
    private var bytes: [UInt8] = []
    private var chunks = 0
    private var hasEnded = false

    public init(key: VaultKey) { self.key = key }

    public mutating func push(_ more: [UInt8]) { bytes += more }

    /// The next piece; nil until more bytes come. After a fault there are none.
    public mutating func next() throws(RecordingFault) -> [UInt8]? {
        if recording == nil { recording = try begin() }
        guard let recording else { return nil }
        guard !hasEnded else {
            // Whatever stands behind the end was put there.
            guard bytes.isEmpty else { throw .tampered(chunk: chunks) }
            return nil
        }
        guard bytes.count >= SealedRecording.lengthBytes else { return nil }
        let word = bytes.prefix(SealedRecording.lengthBytes).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let (length, isLast) = (Int(word & ~SealedRecording.lastFlag), word & SealedRecording.lastFlag != 0)
        guard length <= SealedRecording.chunkBytesMaximum else { throw .tampered(chunk: chunks) }
        let size = SealedRecording.lengthBytes + length + SealedRecording.tagBytes
        guard bytes.count >= size else { return nil }
        let piece = try recording.open(bytes[..<size], number: chunks, isLast: isLast)
        bytes.removeFirst(size)
        chunks += 1
        hasEnded = isLast
        return piece
    }

    /// The end of the file.
    public func finish() throws(RecordingFault) -> End {
        guard recording != nil else { throw .notARecording }
        return hasEnded ? .whole : .cutOff(bytes: bytes.count)
    }

    /// Nil until the header is there.
    private mutating func begin() throws(RecordingFault) -> SealedRecording? {
        let known = min(bytes.count, SealedRecording.magic.count)
        guard bytes.prefix(known) == SealedRecording.magic.prefix(known) else { throw .notARecording }
        guard bytes.count >= SealedRecording.headerBytes else { return nil }
        let begun = try SealedRecording(opening: Array(bytes.prefix(SealedRecording.headerBytes)), with: key)
        bytes.removeFirst(SealedRecording.headerBytes)
        return begun
    }
}
