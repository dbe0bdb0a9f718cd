import SIPCore

/// Something that the account's server is asked to tell of (RFC 6665).
public enum SubscriptionTarget: Hashable, Sendable {
    /// What the phones of a number do (RFC 4235): a number, or a SIP URI.
    case number(String)
    /// Messages that wait for the account (RFC 3842), from servers that tell of them only when asked.
    case messages

    /// So many of a line's are asked for; others are not.
    public static let limit = 32

    var package: String {
        switch self {
        case .number: DialogInformation.package
        case .messages: MessageSummary.package
        }
    }

    var mediaType: String {
        switch self {
        case .number: DialogInformation.mediaType
        case .messages: MessageSummary.mediaType
        }
    }

    /// Of whom the server is asked to tell; nil for what is no address.
    func resource(of account: LineConfiguration.Account, in configuration: LineConfiguration) -> URI? {
        switch self {
        case .number(let number): configuration.address(of: number)?.asInitialRequestURI
        case .messages: .sip(SIPURI(user: configuration.user, host: account.domain))
        }
    }
}
