/// Why bytes are no STUN message.
public enum STUNError: Error, Equatable, Sendable {
    /// The first two bits, or the cookie, are another protocol's.
    case notSTUN
    /// The header's length is not that of the bytes, or no multiple of four.
    case length
    /// More bytes or attributes than a message of ours ever has.
    case tooLong
    /// An attribute that is longer than its message.
    case attribute
    /// The fingerprint is wrong, or something follows it.
    case fingerprint
}
