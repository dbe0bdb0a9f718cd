/// Why bytes are not a valid STUN message.
public enum STUNError: Error, Equatable, Sendable {
    /// The first two bits, or the magic cookie, belong to another protocol.
    case notSTUN
    /// The length in the header does not match the number of bytes, or is not a multiple of four.
    case length
    /// There are more bytes or attributes than the limits allow.
    case tooLong
    /// An attribute is longer than its message.
    case attribute
    /// The fingerprint is wrong, or something follows it.
    case fingerprint
}
