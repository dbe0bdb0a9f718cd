import SIPCore

/// A state that the account's server can be asked to report (RFC 6665).
public enum SubscriptionTarget: Hashable, Sendable {
    /// The state of a number's phones (RFC 4235). The value is a number, or a SIP URI.
    case number(String)
    /// Messages that wait for the account (RFC 3842), for servers that report them only to subscribers.
    case messages

    /// The most targets of a line. Others are ignored.
    public static let limit = 32

    var number: String? { if case .number(let number) = self { number } else { nil } }

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

    /// The resource to subscribe to. Nil if the target is not an address.
    func resource(of account: LineConfiguration.Account, in configuration: LineConfiguration) -> URI? {
        switch self {
        case .number(let number): configuration.address(of: number)?.asInitialRequestURI
        case .messages: .sip(SIPURI(user: configuration.user, host: account.domain))
        }
    }
}
