import Base
import Cryptography

/// The container of a recording. Its chunks are sealed one by one: if a crash or a power cut truncates the file, all
/// whole chunks stay good.
///
///      0   8  magic
///      8   4  format version ┐
///     12  32  salt           │ the header is authenticated
///     44  16  key check      ┘ together with each chunk
///
/// Chunks follow the header:
///
///          4  length; the highest bit marks the last chunk
///          …  a piece of the file, encrypted with AES-256-GCM
///         16  tag
///
/// Numbers have their most significant byte first. Every recording has a new salt.
///
/// HKDF derives key and key check from the vault's key and the salt. The nonce is the chunk's number and whether it is
/// the last. So no pair of key and nonce is used twice. A chunk that was changed, moved, left out, or taken from
/// another file does not open (the STREAM construction, Hoang, Reyhanitabar, Rogaway, Vizár 2015). In a file truncated
/// after a whole chunk the last chunk is missing, which shows the truncation.
public struct SealedRecording: Sendable {
    /// The suffix of a sealed file's name.
    public static let suffix = "sealed"
    static let magic = Array("OFFHREC\u{1A}".utf8)
    static let formatVersion: UInt32 = 1
    static let headerBytes = 60
    static let saltBytes = 32
    static let checkBytes = 16
    static let tagBytes = AES256GCM.tagBytes
    static let lengthBytes = 4
    static let lastFlag: UInt32 = 1 << 31
    /// About five seconds in the larger of the two recording formats.
    static let chunkBytesMaximum = 1 << 20

    /// The header, at the beginning of the file.
    public let opening: [UInt8]
    private let key: SecretBytes

    /// A new recording.
    public init(with vaultKey: VaultKey) {
        self.init(with: vaultKey, salt: Salt.make(Self.saltBytes))
    }

    private init(with vaultKey: VaultKey, salt: [UInt8]) {
        var header = Self.magic
        header.append(bigEndian: Self.formatVersion)
        header += salt
        header += unsafe vaultKey.derive("recording check", salt: salt, bytes: Self.checkBytes).withBytes {
            unsafe Array($0)
        }
        opening = header
        key = vaultKey.derive("recording key", salt: salt, bytes: 32)
    }

    /// Reads the header of an existing recording.
    init(opening bytes: [UInt8], with vaultKey: VaultKey) throws(RecordingFault) {
        var cursor = ByteCursor(offset: Self.magic.count)
        guard bytes.count == Self.headerBytes, bytes.starts(with: Self.magic),
            let version = try? cursor.read(UInt32.self, in: bytes.span),
            let salt = try? cursor.readBytes(Self.saltBytes, in: bytes.span)
        else { throw .notARecording }
        guard version == Self.formatVersion else {
            throw version > Self.formatVersion ? .newerVersion(Int(version)) : .notARecording
        }
        self.init(with: vaultKey, salt: salt)
        guard opening == bytes else { throw .wrongKey }
    }

    /// - Parameters:
    ///   - number: The chunk's number, from 0. No two pieces may have the same number.
    ///   - isLast: Whether no chunk follows.
    public func seal(_ piece: [UInt8], number: Int, isLast: Bool) -> [UInt8] {
        precondition(piece.count <= Self.chunkBytesMaximum, "a piece fits into a chunk")
        var chunk: [UInt8] = []
        chunk.append(bigEndian: UInt32(piece.count) | (isLast ? Self.lastFlag : 0))
        let sealed = AES256GCM.seal(
            piece, key: key, nonce: Self.nonce(number, isLast), authenticating: opening + chunk)
        return chunk + sealed
    }

    /// - Parameter chunk: A whole chunk, with its length.
    func open(_ chunk: ArraySlice<UInt8>, number: Int, isLast: Bool) throws(RecordingFault) -> [UInt8] {
        let piece = AES256GCM.open(
            chunk.dropFirst(Self.lengthBytes), key: key, nonce: Self.nonce(number, isLast),
            authenticating: opening + chunk.prefix(Self.lengthBytes))
        guard let piece else { throw .tampered(chunk: number) }
        return piece
    }

    private static func nonce(_ number: Int, _ isLast: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(number))
        bytes.append(bigEndian: UInt32(isLast ? 1 : 0))
        return bytes
    }
}

/// Why a sealed recording cannot be read, or only in part.
public enum RecordingFault: Error, Equatable, Sendable, CustomStringConvertible {
    case notARecording
    case newerVersion(Int)
    /// The file belongs to another vault, or its first bytes were changed.
    case wrongKey
    /// Chunks before this one are unchanged.
    case tampered(chunk: Int)

    public var description: String {
        switch self {
        case .notARecording: "this is not a sealed recording"
        case .newerVersion(let version): "it was written by a later Offhook (version \(version))"
        case .wrongKey: "the vault's key does not open it, or its first bytes were changed"
        case .tampered(let chunk):
            "another program changed it: chunk \(chunk + 1) is not as Offhook wrote it"
        }
    }
}

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
