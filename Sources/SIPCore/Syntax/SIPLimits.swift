/// The sizes beyond which input is refused, and the size above which a request leaves UDP. No legitimate message comes
/// near the former.
public enum SIPLimits {
    /// Bytes of a whole message: the size that a UDP datagram can carry.
    public static let message = 65_536
    /// Bytes of one header with its continuation lines.
    public static let line = 8_192
    /// Header lines of a message.
    public static let fields = 256
    /// Bytes of the far end's values that each request of a dialog repeats: its route set, target, address and tag.
    public static let dialog = 8_192
    /// Bytes that all transactions of a layer keep of their messages. Each of them keeps two messages at most.
    public static let transactions = 1_048_576
    /// A request of more bytes than this goes over a stream instead of UDP, if there is one (RFC 3261 §18.1.1).
    public static let datagram = 1_300
}
