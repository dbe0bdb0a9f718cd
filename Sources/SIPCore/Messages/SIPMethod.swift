/// The method of a request. Methods compare with case (RFC 3261 §7.1); unknown ones are kept.
public struct SIPMethod: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// - Parameter name: A token.
    public init(_ name: String) {
        precondition(!name.isEmpty && name.utf8.allSatisfy { $0.isToken }, "a method is a token")
        self.name = name
    }

    /// - Parameter name: A token, as a scanner found it.
    init(token name: String) { self.name = name }

    public var description: String { name }

    public static let ack = SIPMethod("ACK")
    public static let bye = SIPMethod("BYE")
    public static let cancel = SIPMethod("CANCEL")
    public static let info = SIPMethod("INFO")
    public static let invite = SIPMethod("INVITE")
    public static let message = SIPMethod("MESSAGE")
    public static let notify = SIPMethod("NOTIFY")
    public static let options = SIPMethod("OPTIONS")
    public static let prack = SIPMethod("PRACK")
    public static let publish = SIPMethod("PUBLISH")
    public static let refer = SIPMethod("REFER")
    public static let register = SIPMethod("REGISTER")
    public static let subscribe = SIPMethod("SUBSCRIBE")
    public static let update = SIPMethod("UPDATE")

    /// Whether the request is a target refresh, which changes the remote target of a dialog (RFC 3261 §12.2,
    /// RFC 3311 §4, RFC 6665 §4.1).
    var refreshesTarget: Bool { [.invite, .update, .subscribe, .notify, .refer].contains(self) }
}
