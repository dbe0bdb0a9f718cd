/// What a server or a far end said about the end of a call. Untrusted text.
public struct ServerEnd: Equatable, Codable, Sendable {
    /// The name of the cause, such as `USER_BUSY`, or the list of its code: `SIP` or `Q.850` (RFC 3326).
    public var cause: String?
    public var code: Int?
    public var text: String?

    public init(cause: String?, code: Int?, text: String?) {
        self.cause = cause
        self.code = code
        self.text = text
    }
}
