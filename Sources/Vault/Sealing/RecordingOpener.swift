import Base

/// Reads a sealed recording as its bytes arrive, and returns the parts proven unchanged.
///
/// Total: any bytes give pieces, an end or a fault. Keeps one chunk in memory.
public struct RecordingOpener {
    /// How an unchanged file ends.
    public enum End: Equatable, Sendable {
        case whole
        /// The writer did not finish the file, or someone truncated it. This many bytes after the last whole chunk are
        /// useless.
        case cutOff(bytes: Int)
    }

    private let key: VaultKey
    private var recording: SealedRecording?
    private var bytes: [UInt8] = []
    private var chunks = 0
    private var hasEnded = false

    public init(key: VaultKey) { self.key = key }

    public mutating func push(_ more: [UInt8]) { bytes += more }

    /// The next piece; nil until more bytes arrive. After a fault there are no more pieces.
    public mutating func next() throws(RecordingFault) -> [UInt8]? {
        if recording == nil { recording = try begin() }
        guard let recording else { return nil }
        guard !hasEnded else {
            // Bytes after the last chunk were added later, and not by the writer.
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

    /// Ends the file.
    public func finish() throws(RecordingFault) -> End {
        guard recording != nil else { throw .notARecording }
        return hasEnded ? .whole : .cutOff(bytes: bytes.count)
    }

    /// Nil until the whole header has arrived.
    private mutating func begin() throws(RecordingFault) -> SealedRecording? {
        let known = min(bytes.count, SealedRecording.magic.count)
        guard bytes.prefix(known) == SealedRecording.magic.prefix(known) else { throw .notARecording }
        guard bytes.count >= SealedRecording.headerBytes else { return nil }
        let begun = try SealedRecording(opening: Array(bytes.prefix(SealedRecording.headerBytes)), with: key)
        bytes.removeFirst(SealedRecording.headerBytes)
        return begun
    }
}
