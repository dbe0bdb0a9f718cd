/// The sizes beyond which input is refused. No legitimate message comes near them.
public enum SIPLimits {
    /// Bytes of a whole message: what a UDP datagram can carry.
    public static let message = 65_536
    /// Bytes of one header with its continuation lines.
    public static let line = 8_192
    /// Header lines of a message.
    public static let fields = 256
    /// Bytes of what a far end has us repeat in each request of a dialog: its route, its address and its tag.
    public static let dialog = 8_192
    /// Above this many bytes a request leaves UDP for a stream where there is one (RFC 3261 §18.1.1).
    public static let datagram = 1_300
}
